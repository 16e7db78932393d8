package dev.lacuna.core.diagnosis.oom.model;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a log holds.
 *
 * @param reports out-of-memory reports in the order of the input, repeats folded
 * @param tables what tables of counters tell beside the reports; one that stands alone is a report
 * @param settings allocator settings that the log shows to be on
 * @param lines number of lines read
 * @param conf the allocator settings string that the log shows, the last of them
 * @param trails memory figures that the log prints again and again
 * @param surroundings where it was printed, as far as its lines tell
 * @param listings tables of memory, where the log is made of them and holds no report
 * @param omitted reports beyond {@link OomLogReader#MAX_REPORTS} that were counted but not kept
 */
public record OomLog(
        List<OomReport> reports,
        List<OomReport> tables,
        Set<Setting> settings,
        Optional<PrintedAllocConf> conf,
        List<MemoryTrail> trails,
        Surroundings surroundings,
        long lines,
        List<MemoryListing> listings,
        long omitted) {

    /** A log without any report. */
    static final OomLog EMPTY = new OomLog(
            List.of(), List.of(), Set.of(), Optional.empty(), List.of(), Surroundings.UNKNOWN, 0, List.of(), 0);

    public OomLog {
        trails = List.copyOf(trails);
        listings = List.copyOf(listings);
        reports = List.copyOf(reports);
        tables = List.copyOf(tables);
        settings = Set.copyOf(settings);
    }
}
