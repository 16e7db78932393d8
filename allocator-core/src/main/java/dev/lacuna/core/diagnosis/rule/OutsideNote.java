package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.ProcessUse;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How much of the device lies outside the pool, when that is more than lies there anyway. */
public final class OutsideNote implements NoteRule {
    static final String ID = "outside";

    @Override
    public Optional<Finding> judge(Evidence e, Cause verdict) {
        boolean said = verdict == Cause.OUTSIDE_THE_POOL
                && e.tried().orElse(0) > e.free().orElse(0);
        if (e.othersBeyond().orElse(0) <= 0
                || said && e.report().otherProcesses().isEmpty()) {
            return Optional.empty();
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
        return Optional.of(new Finding(ID, sentence, List.of(new Finding.Figure("outside", outside)), Confidence.HIGH));
    }
}
