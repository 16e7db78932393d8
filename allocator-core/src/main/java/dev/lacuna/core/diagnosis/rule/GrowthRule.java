package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.MemoryTrail;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that grows from step to step in a log that prints it: something is kept, such as a loss that is added up together
 * with its graph. Peaks only ever rise, so they count only while they rise to the end; warming up is no growth.
 */
public final class GrowthRule implements Rule<Run> {
    static final String ID = "growth";

    private static final long FEWEST_VALUES = 5;
    private static final long LEAST_BYTES = 256L << 20;
    private static final double LEAST_SHARE = 0.1;

    /** A steady run grows no more in its later part; a leak does. */
    private static final double LATE_SHARE = 0.15;

    @Override
    public List<Finding> judge(Run run) {
        List<JudgedLog> logs = run.logs();
        List<Finding> found = new ArrayList<>();
        for (int l = 0; l < logs.size(); l++) {
            int log = l;
            logs.get(l).log().trails().stream()
                    .filter(GrowthRule::grows)
                    .max((a, b) -> Long.compare(growth(a), growth(b)))
                    .ifPresent(trail -> found.add(finding(trail).about(new Subject.Report(log, -1))));
        }
        return found;
    }

    /** Whether a figure grows as a leak does. */
    public static boolean grows(MemoryTrail trail) {
        long growth = growth(trail);
        return trail.values() >= FEWEST_VALUES
                && growth >= LEAST_BYTES
                && growth >= LEAST_SHARE * trail.firstBytes()
                && trail.falls() * 5 <= trail.values()
                && trail.lastBytes() - trail.halfwayBytes() >= LATE_SHARE * growth;
    }

    private static long growth(MemoryTrail trail) {
        return trail.lastBytes() - trail.firstBytes();
    }

    private static Finding finding(MemoryTrail trail) {
        long each = growth(trail) / (trail.values() - 1);
        Text sentence = Text.of(
                "finding.growth",
                Text.word(trail.label()),
                Text.size(trail.firstBytes()),
                Text.size(trail.lastBytes()),
                Text.word(Long.toString(trail.values())),
                Text.size(each));
        return Finding.of(ID, sentence).with("growth", growth(trail)).sure(Confidence.MEDIUM);
    }
}
