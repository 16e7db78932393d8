/**
 * Recorded allocation streams and their readers, one per format, chosen by content and never by name. Knows no policy.
 */
package dev.lacuna.core.trace;
