package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import java.util.List;

/**
 * What a table of memory says.
 *
 * @param listing the table
 * @param findings what it says, the conclusion first
 * @param next what to do next, best first
 */
public record ListingVerdict(MemoryListing listing, List<Finding> findings, List<Remedy> next) {
    public ListingVerdict {
        findings = List.copyOf(findings);
        next = List.copyOf(next);
    }
}
