/**
 * Working a history out of events: lives, sizes, the segments that must have been there before. For every
 * format.
 */
package dev.lacuna.core.history.build;
