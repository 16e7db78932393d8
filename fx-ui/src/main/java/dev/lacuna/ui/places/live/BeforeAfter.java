package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.WholeStep;
import dev.lacuna.core.base.counters.WholeSteps;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Steps with the optimisation off against steps with it on: equal numbers of the newest of either, compared only where they are of like
 * work. What that was worked out from changes with a step, so the answers are kept.
 */
public final class BeforeAfter {
    /** Fewer steps than this on either side say nothing of a difference. */
    static final int FEWEST = 3;

    /** Lengths within this share are alike, however small the spread: so much depends on the machine. */
    private static final double LIKE_LENGTH = 0.10;

    /** What steps of the same work allocate differs by no more than rounding. */
    private static final double LIKE_WORK = 0.02;

    /** Whether the two sides can be compared. */
    public enum Verdict {
        /** They can. */
        COMPARABLE,
        /** One has too few steps yet, or none. */
        TOO_FEW,
        /** One ran under a lower cap than the other took, or swapping was not the same. */
        OTHER_SETTINGS,
        /** The lengths of their steps differ by more than their spread. */
        OTHER_LENGTHS,
        /** What their steps allocate differs by more than its spread. */
        OTHER_WORK;

        /** Its name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private record Side(WholeSteps.Setting setting, List<WholeStep> steps) {
        Side newest(int number) {
            return new Side(setting, steps.subList(steps.size() - number, steps.size()));
        }
    }

    private Optional<Side> before = Optional.empty();
    private Optional<Side> after = Optional.empty();
    private Comparison now = Comparison.NONE;

    /** Takes in the newest whole steps, after another has ended. */
    public void add(WholeSteps newest) {
        newest.setting().ifPresent(setting -> {
            Optional<Side> side = Optional.of(new Side(setting, newest.steps()));
            if (setting.optimisation()) {
                after = side;
            } else {
                before = side;
            }
            compare();
        });
    }

    /** Forgets everything: another process or device follows. */
    public void clear() {
        before = Optional.empty();
        after = Optional.empty();
        compare();
    }

    /** What they tell now. */
    public Comparison now() {
        return now;
    }

    private void compare() {
        int number = before.isPresent() && after.isPresent()
                ? Math.min(before.get().steps().size(), after.get().steps().size())
                : Integer.MAX_VALUE;
        Optional<Side> without =
                before.map(side -> side.newest(Math.min(number, side.steps().size())));
        Optional<Side> with =
                after.map(side -> side.newest(Math.min(number, side.steps().size())));
        Optional<StepFigures> off = without.map(side -> StepFigures.of(side.steps()));
        Optional<StepFigures> on = with.map(side -> StepFigures.of(side.steps()));
        Verdict verdict = without.isPresent() && with.isPresent()
                ? verdict(without.get(), off.orElseThrow(), with.get(), on.orElseThrow())
                : Verdict.TOO_FEW;
        Map<StepMeasure, StepChange> changes = verdict == Verdict.COMPARABLE
                ? changes(without.get().steps(), with.get().steps())
                : Map.of();
        now = new Comparison(off, on, verdict, changes);
    }

    private static Verdict verdict(Side without, StepFigures a, Side with, StepFigures b) {
        if (without.steps().size() < FEWEST) {
            return Verdict.TOO_FEW;
        }
        if (without.setting().swap() != with.setting().swap() || isHeldByACap(without, a, with, b)) {
            return Verdict.OTHER_SETTINGS;
        }
        if (differ(a.stepNs(), b.stepNs(), Math.max(a.stepNsSpread(), b.stepNsSpread()), LIKE_LENGTH)) {
            return Verdict.OTHER_LENGTHS;
        }
        long spread = Math.max(a.peakAllocatedSpread(), b.peakAllocatedSpread());
        return differ(a.peakAllocatedBytes(), b.peakAllocatedBytes(), spread, LIKE_WORK)
                ? Verdict.OTHER_WORK
                : Verdict.COMPARABLE;
    }

    /** Other caps make a difference only where what either took comes up against the lower one. */
    private static boolean isHeldByACap(Side without, StepFigures a, Side with, StepFigures b) {
        long lower = Math.min(without.setting().limitBytes(), with.setting().limitBytes());
        boolean same = without.setting().limitBytes() == with.setting().limitBytes();
        return !same && a.gap().and(b.gap()).peakReservedBytes() > lower;
    }

    private static boolean differ(long one, long other, long spread, double share) {
        return Math.abs(one - other) > Math.max(spread, share * Math.max(one, other));
    }

    private static Map<StepMeasure, StepChange> changes(List<WholeStep> without, List<WholeStep> with) {
        Map<StepMeasure, StepChange> changes = new EnumMap<>(StepMeasure.class);
        for (StepMeasure measure : StepMeasure.values()) {
            StepChange.of(measure, without, with).ifPresent(change -> changes.put(measure, change));
        }
        return changes;
    }
}
