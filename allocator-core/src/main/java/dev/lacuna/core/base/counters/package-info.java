/**
 * Sizes, fractions and counters: the quantities that every other room speaks in. Nothing here reads files,
 * talks to processes or draws; byte counts stay exact and are formatted only at the edge.
 */
package dev.lacuna.core.base.counters;
