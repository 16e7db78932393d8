package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;
import java.util.Optional;

/**
 * tried ≤ free + gap + what others hold beyond 1 GiB. It also holds when the printed free alone would have been enough and
 * no cap was given: then the reason lies outside the pool as well (a driver that pages, a race, a limit not printed).
 */
public final class OutsideThePoolRule implements CauseRule {
    @Override
    public Cause cause() {
        return Cause.OUTSIDE_THE_POOL;
    }

    @Override
    public Optional<Finding> judge(Evidence e) {
        if (e.takenAtStart().orElse(0) > e.thresholds().othersBytes()) {
            return Optional.of(atStart(e));
        }
        boolean full = e.isSpilled() || e.fillsByLoading();
        if (e.report().isOfHost()
                || full
                || e.tried().isEmpty()
                || e.withoutOthers().isEmpty()) {
            return Optional.empty();
        }
        long tried = e.tried().getAsLong();
        long bound = e.withoutOthers().getAsLong();
        if (tried > bound || !e.wouldFitWithoutOthers()) {
            return Optional.empty();
        }
        long free = e.free().orElseThrow();
        long outside = e.outside().orElseThrow();
        boolean capped = e.report().allowedBytes().isPresent();
        String roomLeft = e.othersBeyond().orElse(0) > 0
                ? "finding.outside-the-pool.free-enough"
                : "finding.outside-the-pool.free-enough.alone";
        Text why = tried <= free
                ? Text.of(
                        capped ? "finding.outside-the-pool.free-enough.capped" : roomLeft,
                        Text.size(tried),
                        Text.size(free))
                : Text.of(
                        "finding.outside-the-pool",
                        Text.size(outside),
                        Text.size(tried),
                        Text.size(free),
                        Text.size(e.usableGap().orElseThrow()));
        return Optional.of(new Finding(
                cause().id(),
                why,
                List.of(
                        new Finding.Figure("tried", tried),
                        new Finding.Figure("free", free),
                        new Finding.Figure("gap", e.gap().orElseThrow()),
                        new Finding.Figure("outside", outside)),
                tried <= free ? freeEnough(e) : e.margin(bound)));
    }

    /** The message is printed before the process takes anything: what is not free is others'. */
    private Finding atStart(Evidence e) {
        long taken = e.takenAtStart().orElseThrow();
        long total = e.total().orElseThrow();
        return new Finding(
                cause().id(),
                Text.of("finding.outside-the-pool.at-start", Text.size(taken), Text.size(total)),
                List.of(new Finding.Figure("free", e.free().orElseThrow()), new Finding.Figure("outside", taken)),
                Confidence.HIGH);
    }

    /** Where others hold next to nothing, only a guess remains: a limit that is not printed, or the driver. */
    private static Confidence freeEnough(Evidence e) {
        return e.othersBeyond().orElse(0) > 0 ? Confidence.MEDIUM : Confidence.LOW;
    }

    /** After a prior cause the test is always met; it says more only when others do hold too much and free was short. */
    @Override
    public boolean addsTo(Cause verdict, Evidence e) {
        return e.othersBeyond().orElse(0) > 0 && e.tried().orElse(0) > e.free().orElse(0);
    }
}
