/**
 * The client of the control protocol: one line to the agent's socket, one line back, bounded in time and length.
 * Nothing here reads telemetry or decides whether a command may be sent.
 */
package dev.lacuna.bridge.control;
