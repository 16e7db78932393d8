package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.rule.Sightings.Sighting;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The same size fails again and again: one tensor, most likely, that is asked for at one place. */
public final class SameSizeRule implements Rule<Run> {
    static final String ID = "same-size";

    @Override
    public List<Finding> judge(Run run) {
        List<JudgedLog> logs = run.logs();
        Map<Long, List<Sighting>> bySize = Sightings.ofOneJob(logs).stream()
                .filter(s -> s.value().triedBytes().isPresent() && !isEngine(s.value()))
                .collect(Collectors.groupingBy(s -> s.value().triedBytes().getAsLong()));
        return bySize.entrySet().stream()
                .filter(e -> times(e.getValue()) > 1)
                .max((a, b) -> Long.compare(times(a.getValue()), times(b.getValue())))
                .map(e -> List.of(finding(e.getKey(), e.getValue())))
                .orElse(List.of());
    }

    private static Finding finding(long bytes, List<Sighting> sightings) {
        Sighting first = sightings.get(0);
        Text sentence = Text.of("finding.same-size", Text.size(bytes), Text.word(Long.toString(times(sightings))));
        return Finding.of(ID, sentence)
                .with("tried", bytes)
                .sure(Confidence.MEDIUM)
                .about(new Subject.Report(first.log(), first.report()));
    }

    /** A builder's one failure is told by each of its layers: an engine's weights are no tensor. */
    private static boolean isEngine(OomReport report) {
        return report.library().filter("tensorrt"::equals).isPresent();
    }

    private static long times(List<Sighting> sightings) {
        // Printed twice it is one failure: a traceback, and the line of whoever logged it.
        return sightings.stream()
                .mapToLong(s -> s.value().repeats() > 2 ? s.value().repeats() : 1)
                .sum();
    }
}
