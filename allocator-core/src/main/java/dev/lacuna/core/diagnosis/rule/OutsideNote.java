package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.stream.Collectors;

/** How much of the device lies outside the pool, when that is more than lies there anyway. */
public final class OutsideNote implements Rule<Verdict> {
    static final String ID = "outside";

    /** The one process listed is this one: what it holds beside its pool is its own. */
    private static Finding itself(Evidence e) {
        long outside = Math.max(0, e.outside().orElse(0));
        Text sentence = Text.of(
                "finding.outside.itself",
                Text.size(outside),
                Text.word(Long.toString(e.report().otherProcesses().get(0).pid())));
        return Finding.of(ID, sentence).with("outside", outside);
    }

    @Override
    public List<Finding> judge(Verdict verdict) {
        Evidence e = verdict.evidence();
        if (e.others().isListedUnderAnotherNumber()) {
            return List.of(itself(e));
        }
        if (e.others().holdsMuchBesideItself()) {
            long outside = e.outside().getAsLong();
            return List.of(Finding.of(ID, Text.of("finding.outside.own", Text.size(outside)))
                    .with("outside", outside));
        }
        boolean said = verdict.cause() == Cause.OUTSIDE_THE_POOL
                && e.tried().orElse(0) > e.free().orElse(0);
        if (e.others().beyondShare().orElse(0) <= 0
                || said && e.report().otherProcesses().isEmpty()) {
            return List.of();
        }
        long outside = e.outside().orElseThrow();
        List<ProcessUse> others = e.report().otherProcesses();
        Text sentence = others.isEmpty()
                ? Text.of("finding.outside", Text.size(outside))
                : Text.of(
                        e.report().amount(Quantity.PROCESS).isPresent()
                                ? "finding.outside.processes.apart"
                                : "finding.outside.processes",
                        Text.size(outside),
                        Text.word(
                                others.stream().map(p -> Long.toString(p.pid())).collect(Collectors.joining(", "))));
        return List.of(Finding.of(ID, sentence).with("outside", outside));
    }
}
