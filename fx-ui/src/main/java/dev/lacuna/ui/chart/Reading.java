package dev.lacuna.ui.chart;

/**
 * The exact values of all series at one sample. Bytes.
 *
 * @param timeNs the sample's time on the monotonic clock
 * @param step steps that had ended
 * @param reserved at the sample
 * @param allocated at the sample
 * @param allocatedPeak highest since the sample before
 * @param requested at the sample
 * @param limit cap on reserved
 */
public record Reading(
        long timeNs, long step, long reserved, long allocated, long allocatedPeak, long requested, long limit) {
    /** Reserved − allocated at this moment. */
    public long gapNow() {
        return reserved - allocated;
    }
}
