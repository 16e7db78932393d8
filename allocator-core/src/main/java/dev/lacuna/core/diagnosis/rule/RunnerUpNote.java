package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;

/** The cause that would be the verdict if the printed figures were off by no more than they are rounded, or that holds as well. */
public final class RunnerUpNote {
    public static final String ID = "runner-up";

    private RunnerUpNote() {}

    /** The cause that comes next, where it is close. */
    public static Optional<Cause> cause(Evidence e, Cause verdict, List<Cause> also) {
        if (!also.isEmpty() && !(verdict == Cause.FRAGMENTATION && e.isHardlyFragmented())) {
            return Optional.of(also.get(0));
        }
        if (verdict != Cause.LIMIT && NearLimitNote.holds(e)) {
            return Optional.of(Cause.LIMIT);
        }
        if (e.tried().isEmpty() || e.defragmented().isEmpty() || e.isSpilled() || e.fillsByLoading()) {
            return Optional.empty();
        }
        return switch (verdict) {
            case FRAGMENTATION ->
                e.isNearlyFull() || e.isGapSmall()
                        ? Optional.of(Cause.CAPACITY)
                        : close(e, e.defragmented().getAsLong(), Cause.CAPACITY);
            case CAPACITY ->
                close(e, e.defragmented().getAsLong(), Cause.FRAGMENTATION)
                        .or(() -> e.othersBeyond().orElse(0) > 0
                                ? close(e, e.withoutOthers().orElseThrow(), Cause.OUTSIDE_THE_POOL)
                                : Optional.empty());
            case OUTSIDE_THE_POOL ->
                e.freeWasEnough()
                        ? Optional.empty()
                        : close(e, e.withoutOthers().orElseThrow(), Cause.CAPACITY);
            default -> Optional.empty();
        };
    }

    private static Optional<Cause> close(Evidence e, long bound, Cause other) {
        return e.margin(bound) == Confidence.MEDIUM ? Optional.of(other) : Optional.empty();
    }

    /** Says it. */
    public static Finding finding(Evidence e, Cause verdict, Cause runnerUp, boolean holdsToo) {
        if (!holdsToo && runnerUp == Cause.CAPACITY && e.isNearlyFull()) {
            Text full = Text.of(
                    "finding.runner-up.full",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.report().allocatedBytes().orElseThrow()),
                    Text.size(e.total().orElseThrow()));
            return new Finding(ID, full, List.of(), Confidence.MEDIUM);
        }
        if (!holdsToo && verdict == Cause.FRAGMENTATION && runnerUp == Cause.CAPACITY && e.isGapSmall()) {
            Text small = Text.of(
                    "finding.runner-up.small",
                    Text.text(Text.of("cause." + runnerUp.id())),
                    Text.size(e.gap().orElseThrow()),
                    Text.size(e.total().orElseThrow()));
            return new Finding(ID, small, List.of(), Confidence.MEDIUM);
        }
        String key = holdsToo ? "finding.runner-up.holds" : "finding.runner-up.close";
        return new Finding(
                ID, Text.of(key, Text.text(Text.of("cause." + runnerUp.id()))), List.of(), Confidence.MEDIUM);
    }
}
