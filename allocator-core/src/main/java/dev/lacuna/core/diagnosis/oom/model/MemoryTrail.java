package dev.lacuna.core.diagnosis.oom.model;

import java.util.OptionalInt;

/**
 * One memory figure as a log prints it again and again, step by step.
 *
 * @param rank rank of the writer, where told
 * @param label the log's word, such as {@code allocated} or {@code max reserved}
 * @param values how often it was printed
 * @param firstBytes first value
 * @param halfwayBytes a value from between the middle and the end: what grew before it may have been warming up
 * @param lastBytes last value
 * @param peakBytes highest value
 * @param falls how often a value was below the one before
 * @param line line of the first value
 * @param lastLine line of the last value
 */
public record MemoryTrail(
        OptionalInt rank,
        String label,
        long values,
        long firstBytes,
        long halfwayBytes,
        long lastBytes,
        long peakBytes,
        long falls,
        long line,
        long lastLine) {

    public MemoryTrail next(long bytes, long atLine) {
        long count = values + 1;
        boolean powerOfTwo = (values & (values - 1)) == 0;
        return new MemoryTrail(
                rank,
                label,
                count,
                firstBytes,
                powerOfTwo ? lastBytes : halfwayBytes,
                bytes,
                Math.max(peakBytes, bytes),
                falls + (bytes < lastBytes ? 1 : 0),
                line,
                atLine);
    }

    public static MemoryTrail beginning(OptionalInt rank, String label, long bytes, long line) {
        return new MemoryTrail(rank, label, 1, bytes, bytes, bytes, bytes, 0, line, line);
    }
}
