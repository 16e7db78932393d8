package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.TextTable;
import dev.lacuna.app.ortools.OrTools;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.graph.model.GraphPlan;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanFailure;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.method.PredictedGain;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code lacuna plan} found, for people: a row for each method and budget, the best ones marked. */
final class PlanReport {
    /** Longer policies are told in full by {@code --json} and {@code --output policy}. */
    private static final int LONGEST_POLICY = 48;

    private final Locale locale;

    PlanReport(Locale locale) {
        this.locale = locale;
    }

    String of(PlanResult result, PlanAdvice advice) {
        if (result.written().isPresent()) {
            // What is to be used stands alone on stdout; what is to be said about it goes to stderr.
            System.err.println(about(result));
            return result.written().get().stripTrailing();
        }
        if (result.saved().isPresent()) {
            return about(result);
        }
        StringBuilder text = new StringBuilder(head(result)).append("\n\n").append(table(result));
        text.append("\n\n").append(marks(result));
        cut(result).ifPresent(said -> text.append('\n').append(said));
        result.gains().forEach((budget, gain) -> text.append('\n').append(gain(budget, gain)));
        unsuited(result).forEach(line -> text.append('\n').append(line));
        OrTools tools = OrTools.installed();
        if (tools.state() == OrTools.State.FAILED) {
            text.append('\n').append(CliText.text("ortools.failed", tools.detail()));
        }
        text.append("\n\n").append(advice.text());
        appendConflicts(result, text);
        return text.toString().stripTrailing();
    }

    private static String gain(long budget, PredictedGain gain) {
        String least = percent(gain.least());
        String most = percent(gain.most());
        return least.equals(most)
                ? CliText.text("plan.gain.same", ByteSize.format(budget), least)
                : CliText.text("plan.gain", ByteSize.format(budget), least, most);
    }

    /** What stars, bounds and letters mean, of those that are there. */
    private static String marks(PlanResult result) {
        List<PlanPoint.Planned> plans = result.curve().planned();
        PlanningProfile profile = result.ground().profile();
        List<LayerPolicy> policies = plans.stream()
                .flatMap(plan -> LayerChoice.of(profile, plan.choice()).stream())
                .toList();
        StringBuilder text = new StringBuilder(CliText.text("plan.marks"));
        if (plans.stream().anyMatch(PlanPoint.Planned::proven)) {
            text.append(CliText.text("plan.sentence.between")).append(CliText.text("plan.marks.proven"));
        }
        if (!policies.isEmpty()) {
            String meanings = Stream.of(LayerAction.values())
                    .filter(action -> policies.stream().anyMatch(policy -> policy.count(action) > 0))
                    .map(action -> CliText.text("plan.letter." + action.name().toLowerCase(Locale.ROOT)))
                    .collect(Collectors.joining(CliText.text("plan.letters.between")));
            text.append('\n').append(CliText.text("plan.letters", meanings));
            if (policies.size() < plans.size()) {
                text.append(CliText.text("plan.sentence.between")).append(CliText.text("plan.letters.none"));
            }
        }
        return text.toString();
    }

    /** Methods that say nothing about such an input, those of one reason in one line. */
    private List<String> unsuited(PlanResult result) {
        Map<PlanFailure.Reason, List<String>> byReason = new LinkedHashMap<>();
        result.unsuited()
                .forEach((method, why) ->
                        byReason.computeIfAbsent(why, any -> new ArrayList<>()).add(method.id()));
        return byReason.entrySet().stream()
                .map(entry -> CliText.text(
                        "plan.unsuited",
                        String.join(CliText.text("plan.unsuited.between"), entry.getValue()),
                        new PlanFailure(entry.getKey(), List.of()).text(locale)))
                .toList();
    }

    private String about(PlanResult result) {
        StringBuilder text = new StringBuilder();
        result.chosen()
                .ifPresent(point -> text.append(CliText.text(
                        "plan.chosen",
                        point.method(),
                        ByteSize.format(point.peakBytes()),
                        overhead(point.overhead()))));
        result.notes().forEach(note -> text.append('\n').append(CliText.text("plan.note", note)));
        cut(result).ifPresent(said -> text.append('\n').append(said));
        result.saved().ifPresent(file -> text.append('\n').append(CliText.text("plan.saved", file)));
        appendConflicts(result, text);
        return text.toString();
    }

    /** That time ran out, and how far from the best the best may be. */
    private static Optional<String> cut(PlanResult result) {
        if (!result.curve().endedEarly()) {
            return Optional.empty();
        }
        String seconds = String.format(Locale.ROOT, "%.1f", result.limit().toMillis() / 1e3);
        return Optional.of(CliText.text("plan.cut", seconds, CliText.text("plan.cut.mark")));
    }

    private String head(PlanResult result) {
        PlanningProfile profile = result.ground().profile();
        StringBuilder text = new StringBuilder(CliText.text(
                "plan.head",
                CliText.text("plan.kind." + profile.kind().name().toLowerCase(Locale.ROOT)),
                ByteSize.format(profile.plainPeakBytes()),
                ByteSize.format(profile.leastBytes())));
        result.ground().notes().forEach(note -> text.append('\n').append(note));
        return text.toString();
    }

    private String table(PlanResult result) {
        Set<PlanPoint.Planned> best = Set.copyOf(result.curve().undominated());
        TextTable table = TextTable.ofWords(List.of(
                "  " + CliText.text("plan.column.budget"),
                CliText.text("plan.column.method"),
                CliText.text("plan.column.peak"),
                CliText.text("plan.column.overhead"),
                CliText.text("plan.column.bound"),
                CliText.text("plan.column.layers")));
        for (PlanPoint point : result.curve().points()) {
            String budget = ByteSize.format(point.budgetBytes());
            if (point instanceof PlanPoint.Planned planned) {
                table.add(List.of(
                        (best.contains(planned) ? "* " : "  ") + budget,
                        planned.method(),
                        ByteSize.format(planned.peakBytes()),
                        overhead(planned.overhead()),
                        bound(planned),
                        LayerChoice.of(result.ground().profile(), planned.choice())
                                .map(PlanReport::letters)
                                .orElse("")));
            } else if (point instanceof PlanPoint.Failed failed) {
                table.add(List.of(
                        "  " + budget,
                        failed.method(),
                        "–",
                        "–",
                        "–",
                        failed.failure().text(locale)));
            }
        }
        return table.text();
    }

    private static String bound(PlanPoint.Planned point) {
        String known = "";
        if (point.proven()) {
            known = CliText.text("plan.proven");
        } else if (point.leastOverhead().isPresent()) {
            known = "≥ " + overhead(point.leastOverhead().getAsDouble());
        }
        return known + further(point.choice()) + (point.endedEarly() ? " " + CliText.text("plan.cut.mark") : "");
    }

    /** Who had a part in it beside Lacuna. */
    private static String further(PlannedChoice choice) {
        if (!(choice instanceof PlannedChoice.Graph graph)) {
            return "";
        }
        return Stream.of(graph.plan().scheduleBy(), graph.plan().boundBy())
                .filter(solver -> !solver.equals(GraphPlan.OWN))
                .findFirst()
                .map(solver -> " (" + solver + ")")
                .orElse("");
    }

    private static String letters(LayerPolicy policy) {
        String letters = policy.letters();
        return letters.length() <= LONGEST_POLICY ? letters : letters.substring(0, LONGEST_POLICY) + "…";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", 100 * share);
    }

    private static String overhead(double overhead) {
        return String.format(Locale.ROOT, "%.4f", overhead);
    }

    private void appendConflicts(PlanResult result, StringBuilder text) {
        Optional<List<SwapConflict>> conflicts = result.conflicts();
        if (conflicts.isEmpty()) {
            return;
        }
        text.append("\n\n").append(CliText.text(conflicts.get().isEmpty() ? "plan.no.conflicts" : "plan.conflicts"));
        for (SwapConflict conflict : conflicts.get()) {
            text.append('\n')
                    .append(conflict.severity().name(locale))
                    .append(": ")
                    .append(conflict.explanation(locale))
                    .append("\n  ")
                    .append(conflict.remedy(locale));
        }
    }

    /** What the methods found, as figures. */
    static Table points(ParetoCurve curve) {
        return ChartFiles.table(
                List.of("method", "#peak_bytes", "#overhead", "#least_overhead", "proven"),
                curve.planned().stream()
                        .map(point -> List.of(
                                point.method(),
                                point.peakBytes(),
                                fraction(point.overhead()),
                                point.leastOverhead().isPresent()
                                        ? fraction(point.leastOverhead().getAsDouble())
                                        : "",
                                point.proven())));
    }

    private static String fraction(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
