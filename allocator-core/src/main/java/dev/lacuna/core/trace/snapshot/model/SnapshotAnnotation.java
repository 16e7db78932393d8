package dev.lacuna.core.trace.snapshot.model;

/**
 * A mark that the program or the profiler set beside the recording.
 *
 * @param stage START or END, as recorded
 * @param name what begins or ends
 * @param device number of the device
 * @param timeUs microseconds of the recorder's clock
 */
public record SnapshotAnnotation(String stage, String name, long device, long timeUs) {}
