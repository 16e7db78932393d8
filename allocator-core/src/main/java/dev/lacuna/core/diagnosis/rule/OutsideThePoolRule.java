package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Text;
import java.util.List;

/**
 * tried ≤ free + gap + what others hold beyond 1 GiB. It also holds when the printed free alone would have been enough and
 * no cap was given: then the reason lies outside the pool as well (a driver that pages, a race, a limit not printed).
 */
public final class OutsideThePoolRule implements Rule<Evidence> {
    @Override
    public List<Finding> judge(Evidence e) {
        if (e.others().takenAtStart().orElse(0) > e.thresholds().othersBytes()) {
            return List.of(atStart(e));
        }
        if (e.request().isOnLargerCard() && !e.request().isAbsurd()) {
            return List.of(belowTheCard(e));
        }
        boolean full = e.fullness().isSpilled()
                || e.fullness().fillsByLoading()
                || e.fullness().isFull();
        if (e.report().isOfHost()
                || full
                || e.tried().isEmpty()
                || e.room().withoutOthers().isEmpty()) {
            return List.of();
        }
        long tried = e.tried().getAsLong();
        long bound = e.room().withoutOthers().getAsLong();
        if (tried > bound || !e.room().wouldFitWithoutOthers()) {
            return List.of();
        }
        long free = e.free().orElseThrow();
        long outside = e.outside().orElseThrow();
        boolean capped = e.report().allowedBytes().isPresent();
        String roomLeft = e.others().beyondShare().orElse(0) > 0
                ? "finding.outside-the-pool.free-enough"
                : "finding.outside-the-pool.free-enough.alone";
        Text why = e.room().freeWasEnough()
                ? Text.of(
                        capped ? "finding.outside-the-pool.free-enough.capped" : roomLeft,
                        Text.size(tried),
                        Text.size(free))
                : Text.of(
                        "finding.outside-the-pool",
                        Text.size(outside),
                        Text.size(tried),
                        Text.size(free),
                        Text.size(e.room().usableGap().orElseThrow()));
        return List.of(Finding.of(Cause.OUTSIDE_THE_POOL, why)
                .with("tried", tried)
                .with("free", free)
                .with("gap", e.gap().orElseThrow())
                .with("outside", outside)
                .sure(
                        e.room().freeWasEnough()
                                ? freeEnough(e)
                                : e.others().areSlight()
                                        ? Confidence.LOW
                                        : e.room().margin(bound)));
    }

    /** The framework sees less of the card than is told elsewhere: a carve-out, a setting of the driver. */
    private Finding belowTheCard(Evidence e) {
        long total = e.total().orElseThrow();
        long card = e.request().largerCard().orElseThrow();
        return Finding.of(
                        Cause.OUTSIDE_THE_POOL,
                        Text.of(
                                "finding.outside-the-pool.larger-card",
                                Text.size(e.tried().orElseThrow()),
                                Text.size(total),
                                Text.size(card)))
                .with("tried", e.tried().orElseThrow())
                .with("total", total)
                .sure(Confidence.LOW);
    }

    /** The message is printed before the process takes anything: what is not free is others'. */
    private Finding atStart(Evidence e) {
        long taken = e.others().takenAtStart().orElseThrow();
        long total = e.total().orElseThrow();
        return Finding.of(
                        Cause.OUTSIDE_THE_POOL,
                        Text.of("finding.outside-the-pool.at-start", Text.size(taken), Text.size(total)))
                .with("free", e.free().orElseThrow())
                .with("outside", taken);
    }

    /** Where others hold next to nothing, only a guess remains: a limit that is not printed, or the driver. */
    private static Confidence freeEnough(Evidence e) {
        return e.others().beyondShare().orElse(0) > 0 ? Confidence.MEDIUM : Confidence.LOW;
    }
}
