package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;

/** What a compiled program needs in all, where only one of its requests is in the message and a table beside it tells the parts. */
public final class ProgramNote implements Rule<Verdict> {
    static final String ID = "program";

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        if (e.claims(Claim.WHOLE_PROGRAM) || e.tried().isEmpty()) {
            return List.of();
        }
        return e.report().listings().stream()
                .filter(listing -> listing.kind() == MemoryListing.Kind.PROGRAM && isOfOneProgram(listing))
                .map(listing -> listing.amount(Quantity.TRIED).orElseGet(listing::listedBytes))
                .filter(needed -> needed > e.tried().getAsLong())
                .limit(1)
                .map(needed -> Finding.of(ID, Text.of("finding.program", Text.size(needed)))
                        .with("program", needed))
                .toList();
    }

    /** Whether the parts make up the total: in that of a TPU stands too what lay there before. */
    private static boolean isOfOneProgram(MemoryListing listing) {
        long total = listing.amount(Quantity.TRIED).orElse(0);
        return total - listing.listedBytes() <= total / 10;
    }
}
