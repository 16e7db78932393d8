package dev.lacuna.core.trace.record;

import java.time.Instant;

/**
 * Whose memory was recorded.
 *
 * @param pid process id
 * @param command its command line
 * @param startedAt when its agent started
 */
public record RecordedProcess(long pid, String command, Instant startedAt) {}
