package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Verdict;
import java.util.List;
import java.util.Optional;

/** The cause that would be the verdict if the printed figures were off by no more than they are rounded, or that holds as well. */
public final class RunnerUpNote implements Rule<Verdict> {
    public static final String ID = "runner-up";

    /** The cause that comes next, where it is close. */
    public static Optional<Cause> cause(Verdict verdict) {
        return cause(verdict.evidence(), verdict.cause(), verdict.also());
    }

    private static Optional<Cause> cause(Evidence e, Cause verdict, List<Cause> also) {
        boolean decidedLittle = e.fullness().isHardlyFragmented() || e.origin().keepsOutputs();
        if (!also.isEmpty() && !(verdict == Cause.FRAGMENTATION && decidedLittle)) {
            return Optional.of(also.get(0));
        }
        if (verdict != Cause.LIMIT && NearLimitNote.holds(e)) {
            return Optional.of(Cause.LIMIT);
        }
        if (e.tried().isEmpty()
                || e.room().defragmented().isEmpty()
                || e.fullness().isSpilled()
                || e.fullness().fillsByLoading()
                || e.fullness().isFull()) {
            return Optional.empty();
        }
        return switch (verdict) {
            case FRAGMENTATION ->
                e.fullness().isNearlyFull()
                                || e.room().isGapSmall()
                                || e.origin().keepsOutputs()
                        ? Optional.of(Cause.CAPACITY)
                        : close(e, e.room().defragmented().getAsLong(), Cause.CAPACITY);
            case CAPACITY ->
                close(e, e.room().defragmented().getAsLong(), Cause.FRAGMENTATION)
                        .or(() -> e.others().beyondShare().orElse(0) > 0
                                ? close(e, e.room().withoutOthers().orElseThrow(), Cause.OUTSIDE_THE_POOL)
                                : Optional.empty());
            case OUTSIDE_THE_POOL ->
                e.others().areSlight() && !e.room().freeWasEnough()
                        ? Optional.of(Cause.CAPACITY)
                        : e.room().freeWasEnough()
                                ? Optional.empty()
                                : close(e, e.room().withoutOthers().orElseThrow(), Cause.CAPACITY);
            default -> Optional.empty();
        };
    }

    private static Optional<Cause> close(Evidence e, long bound, Cause other) {
        return e.room().isWithinRounding(bound) ? Optional.of(other) : Optional.empty();
    }

    @Override
    public List<Finding> judge(Verdict verdict) {
        return cause(verdict).stream()
                .map(runnerUp -> finding(
                        verdict.evidence(),
                        verdict.cause(),
                        runnerUp,
                        verdict.also().contains(runnerUp)))
                .toList();
    }

    private static Finding finding(Evidence e, Cause verdict, Cause runnerUp, boolean holdsToo) {
        if (!holdsToo && runnerUp == Cause.CAPACITY && e.fullness().isNearlyFull()) {
            Text full = Text.of(
                    "finding.runner-up.full",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.report().allocatedBytes().orElseThrow()),
                    Text.size(e.total().orElseThrow()));
            return Finding.of(ID, full).sure(Confidence.MEDIUM);
        }
        if (!holdsToo && verdict == Cause.FRAGMENTATION && e.origin().keepsOutputs()) {
            Text kept = Text.of("finding.runner-up.evaluation", Text.text(Text.of("cause." + runnerUp.id())));
            return Finding.of(ID, kept).sure(Confidence.MEDIUM);
        }
        if (!holdsToo
                && verdict == Cause.FRAGMENTATION
                && runnerUp == Cause.CAPACITY
                && e.room().isGapSmall()
                && e.total().isPresent()) {
            Text small = Text.of(
                    "finding.runner-up.small",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.gap().orElseThrow()),
                    Text.size(e.total().orElseThrow()));
            return Finding.of(ID, small).sure(Confidence.MEDIUM);
        }
        if (!holdsToo
                && verdict == Cause.FRAGMENTATION
                && runnerUp == Cause.CAPACITY
                && e.total().isEmpty()) {
            Text untold = Text.of(
                    "finding.runner-up.untold",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.gap().orElse(0)));
            return Finding.of(ID, untold).sure(Confidence.MEDIUM);
        }
        if (!holdsToo && verdict == Cause.OUTSIDE_THE_POOL && e.others().areSlight()) {
            Text slight = Text.of(
                    "finding.runner-up.slight",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.outside().orElseThrow()));
            return Finding.of(ID, slight).sure(Confidence.MEDIUM);
        }
        String key = holdsToo ? "finding.runner-up.holds" : "finding.runner-up.close";
        return Finding.of(ID, Text.of(key, Text.text(Text.of("cause." + runnerUp.id()))))
                .sure(Confidence.MEDIUM);
    }
}
