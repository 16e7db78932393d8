package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import java.util.List;

/**
 * What a table of memory says.
 *
 * @param listing the table
 * @param findings what it says, the conclusion first, with what to do next
 */
public record ListingVerdict(MemoryListing listing, List<Finding> findings) {
    public ListingVerdict {
        findings = List.copyOf(findings);
    }

    /** What to do next, best first. */
    public List<Remedy> next() {
        return findings.stream().flatMap(finding -> finding.remedies().stream()).toList();
    }
}
