/** Recorded allocation streams and their readers, one per format, chosen by content and never by name. */
package dev.lacuna.core.trace;
