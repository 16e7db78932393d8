/**
 * Writing the telemetry of a training process down as trace text: requests and frees as any reader of traces understands them, and
 * in comments what trace text has no word for. Knows nothing of processes; where events come from is the bridge's business.
 */
package dev.lacuna.core.trace.record;
