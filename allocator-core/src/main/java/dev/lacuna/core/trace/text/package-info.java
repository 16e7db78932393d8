/** Lacuna's own trace text, read and written. */
package dev.lacuna.core.trace.text;
