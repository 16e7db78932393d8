package dev.lacuna.bridge.graft;

import java.util.Optional;

/**
 * What the native library reports of a look or a run.
 *
 * @param code whether it could, else why not
 * @param python {@code 3.11}, where it can be told
 * @param detail the tracer's pid or the errno, where the code has one; else 0
 * @param startTicks start time of the process that was looked at
 * @param stoppedNs the longest that a thread of the process stood still
 * @param text one English sentence, for logs
 */
public record GraftReport(
        GraftCode code, Optional<String> python, int detail, long startTicks, long stoppedNs, String text) {
    /** Whether it could. */
    public boolean ok() {
        return code == GraftCode.OK;
    }
}
