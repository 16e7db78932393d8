package dev.lacuna.core.oom;

import java.util.List;
import java.util.Set;

/**
 * What a log holds.
 *
 * @param reports out-of-memory reports in the order of the input, repeats folded
 * @param settings allocator settings that the log shows to be on
 * @param lines number of lines read
 * @param omitted reports beyond {@link OomLogReader#MAX_REPORTS} that were counted but not kept
 */
public record OomLog(List<OomReport> reports, Set<Setting> settings, long lines, long omitted) {
    public OomLog {
        reports = List.copyOf(reports);
        settings = Set.copyOf(settings);
    }
}
