package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.Rule;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.rule.Sightings.Sighting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which rank died first: the others often only follow, and their messages mislead. By the printed times where every report
 * has one, else by the order of one log; the order of files says nothing.
 */
public final class FirstToFailRule implements Rule<Run> {
    static final String ID = "first-to-fail";

    /** Names listed at most. */
    private static final int MOST_NAMES = 8;

    /** Every rank of a server prints the same words without a figure at one step: their order in the log is chance. */
    private static boolean sayTheSame(List<Sighting> sightings) {
        return sightings.stream().allMatch(s -> s.value().amounts().isEmpty())
                && sightings.stream().map(s -> s.value().text()).distinct().count() == 1;
    }

    /** A collective fails in all its ranks at one step, whoever prints first. */
    private static boolean areOfACollective(List<Sighting> sightings) {
        return sightings.stream().allMatch(s -> s.value().claims().contains(Claim.COLLECTIVE));
    }

    /** Ranks that print at once write into one line, in an order of chance. */
    private static boolean shareALine(Collection<Sighting> first) {
        return first.stream().map(s -> s.value().span().line()).distinct().count() < first.size();
    }

    @Override
    public List<Finding> judge(Run run) {
        List<JudgedLog> logs = run.logs();
        List<Sighting> sightings = new ArrayList<>(Sightings.ofOneJob(logs));
        boolean timed = sightings.stream().allMatch(s -> s.value().time().isPresent());
        if (timed) {
            sightings.sort(Comparator.comparing(s -> s.value().time().orElseThrow()));
        }
        Map<String, Sighting> first = new LinkedHashMap<>();
        boolean ranked = sightings.stream().anyMatch(s -> s.value().rank().isPresent());
        sightings.stream()
                .filter(s -> !s.who().isEmpty())
                .filter(s -> !ranked || s.value().rank().isPresent() || logs.size() > 1)
                .forEach(s -> first.putIfAbsent(s.who(), s));
        boolean ordered = timed
                || logs.size() == 1
                        && !sayTheSame(sightings)
                        && !areOfACollective(sightings)
                        && !shareALine(first.values());
        if (first.size() < 2 || !ordered) {
            return List.of();
        }
        Sighting one = first.values().iterator().next();
        String others = first.keySet().stream().skip(1).limit(MOST_NAMES).collect(Collectors.joining(", "))
                + (first.size() > MOST_NAMES + 1 ? " …" : "");
        Text sentence = timed
                ? Text.of(
                        "finding.first-to-fail.timed",
                        Text.word(one.who()),
                        Text.word(one.value().time().orElseThrow().toString().replace('T', ' ')),
                        Text.word(others))
                : Text.of(
                        "finding.first-to-fail",
                        Text.word(one.who()),
                        Text.word(Long.toString(one.value().span().line())),
                        Text.word(others));
        Finding finding = Finding.of(ID, sentence).sure(timed ? Confidence.HIGH : Confidence.MEDIUM);
        return List.of(finding.about(new Subject.Report(one.log(), one.report())));
    }
}
