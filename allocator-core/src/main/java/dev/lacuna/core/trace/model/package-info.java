/**
 * What a trace is: events in columns, read any number of times by cursors; and what is wrong with one that
 * cannot be read. Knows no format.
 */
package dev.lacuna.core.trace.model;
