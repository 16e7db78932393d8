/**
 * An opened recording: events in order, every life of a block, the segments at both ends; and what a device held
 * at a moment. Knows no format.
 */
package dev.lacuna.core.history.model;
