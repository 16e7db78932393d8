package dev.lacuna.core.diagnosis.snapshot.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.Finding.Severity;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryEvidence;
import dev.lacuna.core.diagnosis.snapshot.evidence.HistoryRemedies;
import dev.lacuna.core.diagnosis.snapshot.evidence.Levels;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Stacks that hold more at each quiet moment: at the beginnings of steps, else at the lowest moment of each tenth of the
 * recording. A stack that holds less even once is no suspect: caches and optimizer state grow once and stay.
 */
public final class LeakRule implements Rule<HistoryEvidence> {
    private static final String ID = "leak";
    private static final long LEAST_BYTES = 1L << 20;

    /** Growth below this share of the peak is not worth a word. */
    private static final long LEAST_SHARE = 500;

    /** Work takes at least one part in so many of the peak. */
    private static final int WORK_SHARE = 20;

    private static final int LEAST_GROWTHS = 3;
    private static final int MOST_CHECKS = 64;
    private static final int TOLD = 3;

    private record Suspect(int stack, int since, long grown, int growths) {}

    @Override
    public List<Finding> judge(HistoryEvidence e) {
        boolean bySteps = e.steps().size() > LEAST_GROWTHS;
        int[] checks = bySteps
                ? thinned(e.steps())
                : Arrays.stream(e.levels().troughs()).distinct().toArray();
        if (checks.length <= LEAST_GROWTHS) {
            return List.of();
        }
        boolean[] worked = worked(e, checks);
        long[][] held = held(e.history(), checks);
        long least = Math.max(LEAST_BYTES, e.levels().peakBytes() / LEAST_SHARE);
        List<Suspect> suspects = new ArrayList<>();
        for (int stack = 0; stack < held.length; stack++) {
            if (held[stack] != null) {
                judge(stack, held[stack], worked, least, suspects);
            }
        }
        suspects.sort(Comparator.comparingLong(s -> -s.grown()));
        return suspects.stream()
                .limit(TOLD)
                .map(s -> tell(e, s, checks, bySteps))
                .toList();
    }

    private static void judge(int stack, long[] held, boolean[] worked, long least, List<Suspect> suspects) {
        int since = 0;
        int growths = 0;
        long smallest = Long.MAX_VALUE;
        long largest = 0;
        for (int c = 1; c < held.length; c++) {
            long growth = held[c] - held[c - 1];
            if (growth < 0) {
                return;
            }
            if (growth > 0 && worked[c]) {
                since = growths++ == 0 ? c : since;
                smallest = Math.min(smallest, growth);
                largest = Math.max(largest, growth);
            }
        }
        // Growth in at least half of the checks since it began; or more seldom, and each time by as much.
        boolean steady = growths >= LEAST_GROWTHS && growths * 2 >= held.length - since;
        boolean regular = growths >= 2 && largest - smallest <= largest / 10;
        long grown = held[held.length - 1] - held[0];
        if ((steady || regular) && grown >= least) {
            suspects.add(new Suspect(stack, since, grown, growths));
        }
    }

    /**
     * Whether work came and went before a check: memory rose well above what was left. Where it only rises, something is
     * being built up, such as a model, or the optimizer's state within one step.
     */
    private static boolean[] worked(HistoryEvidence e, int[] checks) {
        DeviceHistory history = e.history();
        boolean[] worked = new boolean[checks.length];
        Levels.Walk walk = new Levels.Walk(history);
        long highest = walk.allocated();
        int c = 0;
        for (int moment = 0; moment <= history.size() && c < checks.length; moment++) {
            if (moment > 0) {
                walk.step(moment - 1);
            }
            highest = Math.max(highest, walk.allocated());
            for (; c < checks.length && checks[c] == moment; c++) {
                worked[c] =
                        (highest - walk.allocated()) * WORK_SHARE >= e.levels().peakBytes();
                highest = walk.allocated();
            }
        }
        return worked;
    }

    private static Finding tell(HistoryEvidence e, Suspect suspect, int[] checks, boolean bySteps) {
        Text text = Text.of(
                bySteps ? "finding.leak.steps" : "finding.leak.stretches",
                e.place(suspect.stack()),
                Text.size(suspect.grown()),
                HistoryEvidence.count(checks[suspect.since()]),
                Text.size(suspect.grown() / suspect.growths()),
                HistoryEvidence.count(suspect.growths()),
                HistoryEvidence.count(checks.length - 1L));
        return Finding.of(ID, Severity.WASTE, Text.of("finding.leak.title", Text.size(suspect.grown())), text)
                .with("bytes", suspect.grown())
                .at(checks[checks.length - 1], new Subject.Stack(suspect.stack()))
                .advising(List.of(HistoryRemedies.DROP_REFERENCES));
    }

    /** By stack and check, what was born in the recording and is live then; null for stacks without any. */
    private static long[][] held(DeviceHistory history, int[] checks) {
        long[][] held = new long[Math.max(1, history.stacks().size())][];
        for (int a = history.openingAllocations(); a < history.allocations(); a++) {
            int place = Arrays.binarySearch(checks, history.bornAt(a));
            int c = place < 0 ? -place - 1 : place + 1;
            int stack = StackBytes.stackOf(history, a);
            for (; c < checks.length && history.freedAt(a) >= checks[c]; c++) {
                if (held[stack] == null) {
                    held[stack] = new long[checks.length];
                }
                held[stack][c] += history.bytesOf(a);
            }
        }
        return held;
    }

    private static int[] thinned(List<Integer> steps) {
        int checks = Math.min(MOST_CHECKS, steps.size());
        return IntStream.range(0, checks)
                .map(c -> steps.get((int) ((long) c * (steps.size() - 1) / Math.max(1, checks - 1))))
                .distinct()
                .toArray();
    }
}
