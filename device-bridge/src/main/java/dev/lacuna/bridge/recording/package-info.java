/** Recordings of training processes: of living ones as they run, and of dead ones from the telemetry that they left, their black boxes. */
package dev.lacuna.bridge.recording;
