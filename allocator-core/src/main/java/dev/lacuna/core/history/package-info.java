/**
 * An opened recording, whatever its format: events in order, every life of a block, and the segments at both ends, in columns.
 * What the devices held at any moment between can be worked out from these. Knows formats through {@link
 * dev.lacuna.core.history.open.RecordingFormat} only; knows no view and no diagnosis.
 */
package dev.lacuna.core.history;
