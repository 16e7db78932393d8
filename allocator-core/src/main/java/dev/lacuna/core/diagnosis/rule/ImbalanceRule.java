package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.MemoryTrail;
import dev.lacuna.core.diagnosis.rule.Sightings.Sighting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ranks that hold very different amounts: with pipeline parallelism the first stages keep the activations of more
 * micro-batches. Told from the reports, or from the peaks that the ranks print at their steps.
 */
public final class ImbalanceRule implements Rule<Run> {
    static final String ID = "imbalance";

    /** Ranks differ by this much without anything being wrong. */
    private static final long ORDINARY_BYTES = 1L << 30;

    private static final double ORDINARY_SHARE = 0.1;

    /** What one rank holds, and where that is said. */
    private record Held(String who, long bytes, int log, int report) {}

    @Override
    public List<Finding> judge(Run run) {
        List<JudgedLog> logs = run.logs();
        List<Held> held = fromTrails(logs);
        if (held.size() < 2) {
            held = fromReports(logs);
        }
        if (held.size() < 2) {
            return List.of();
        }
        Comparator<Held> byBytes = Comparator.comparingLong(Held::bytes);
        Held most = held.stream().max(byBytes).orElseThrow();
        Held least = held.stream().min(byBytes).orElseThrow();
        long difference = most.bytes() - least.bytes();
        if (difference <= ORDINARY_BYTES || difference <= ORDINARY_SHARE * most.bytes()) {
            return List.of();
        }
        Text sentence = Text.of(
                "finding.imbalance",
                Text.word(most.who()),
                Text.size(most.bytes()),
                Text.word(least.who()),
                Text.size(least.bytes()),
                Text.size(difference));
        Finding finding =
                Finding.of(ID, sentence).with("difference", difference).sure(Confidence.MEDIUM);
        return List.of(finding.about(new Subject.Report(most.log(), most.report())));
    }

    private static List<Held> fromReports(List<JudgedLog> logs) {
        Map<String, Held> byWho = new LinkedHashMap<>();
        List<Sighting> sightings = Sightings.ofOneJob(logs);
        for (Sighting s : sightings) {
            // Different frameworks are different runs, pasted together.
            boolean sameRun = s.value().framework() == sightings.get(0).value().framework();
            if (sameRun && !s.who().isEmpty() && s.value().allocatedBytes().isPresent()) {
                Held now = new Held(s.who(), s.value().allocatedBytes().getAsLong(), s.log(), s.report());
                byWho.merge(s.who(), now, (a, b) -> a.bytes() >= b.bytes() ? a : b);
            }
        }
        return List.copyOf(byWho.values());
    }

    /** The peaks of one label that every rank prints. */
    private static List<Held> fromTrails(List<JudgedLog> logs) {
        for (String label : List.of("max allocated", "allocated")) {
            List<Held> held = new ArrayList<>();
            for (int l = 0; l < logs.size(); l++) {
                for (MemoryTrail trail : logs.get(l).log().trails()) {
                    if (trail.label().equals(label) && (trail.rank().isPresent() || logs.size() > 1)) {
                        String who = trail.rank().isPresent()
                                ? Sightings.rank(trail.rank().getAsInt())
                                : logs.get(l).source();
                        held.add(new Held(who, trail.peakBytes(), l, -1));
                    }
                }
            }
            if (held.size() > 1) {
                return held;
            }
        }
        return List.of();
    }
}
