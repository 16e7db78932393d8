/**
 * What lies where in a running process, kept up from its telemetry events alone. Knows no screen, and says what it cannot
 * know: what was there before it began to read, and what was lost.
 */
package dev.lacuna.bridge.mirror;
