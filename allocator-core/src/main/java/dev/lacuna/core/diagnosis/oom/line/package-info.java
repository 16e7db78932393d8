/**
 * From bytes to clean lines that still know where each character stood: colours, prefixes, JSON frames, hard
 * wraps.
 */
package dev.lacuna.core.diagnosis.oom.line;
