/**
 * What was read of an out-of-memory message: every number with its place in the text, settings, other processes.
 * Knows no grammar and no cause.
 */
package dev.lacuna.core.diagnosis.oom.model;
