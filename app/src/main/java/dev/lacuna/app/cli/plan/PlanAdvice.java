package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.Style;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.method.LayerChoice;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlannedChoice;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Below the table of all methods: which plan to take of each budget, why, and how it is had. */
final class PlanAdvice {
    private final PlanGround ground;
    private final ParetoCurve curve;
    private final boolean oneBudget;
    private final boolean running;

    /**
     * @param oneBudget whether the command names one budget, so that its plan can be written without saying more
     * @param running whether the input is a process, which can be told
     */
    PlanAdvice(PlanResult result, boolean oneBudget, boolean running) {
        this.ground = result.ground();
        this.curve = result.curve();
        this.oneBudget = oneBudget;
        this.running = running;
    }

    String text() {
        List<Long> budgets =
                curve.points().stream().map(PlanPoint::budgetBytes).distinct().toList();
        if (budgets.isEmpty()) {
            return "";
        }
        String said = budgets.size() == 1
                ? Style.out().good(alone(budgets.get(0)))
                : Style.out().heading(CliText.text("plan.advice.head")) + "\n"
                        + budgets.stream().map(budget -> "  " + row(budget)).collect(Collectors.joining("\n"));
        return said + use().map(how -> "\n" + how).orElse("");
    }

    /** Of one budget a whole sentence, and why. */
    private String alone(long budget) {
        Optional<PlanPoint.Planned> best = best(budget);
        if (best.isEmpty()) {
            return CliText.text("plan.advice.none", ByteSize.format(budget));
        }
        PlanPoint.Planned plan = best.get();
        if (everythingFits(budget)) {
            return CliText.text("plan.advice.all.fits", ByteSize.format(budget));
        }
        String take = CliText.text(
                "plan.advice.take",
                ByteSize.format(budget),
                plan.method(),
                factor(plan.overhead()),
                ByteSize.format(plan.peakBytes()));
        return Stream.of(Optional.of(take), reason(plan), asItRuns(plan))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(CliText.text("plan.sentence.between")));
    }

    private String row(long budget) {
        Optional<PlanPoint.Planned> best = best(budget);
        String size = ByteSize.format(budget);
        if (best.isEmpty()) {
            return CliText.text("plan.advice.row.none", size);
        }
        if (everythingFits(budget)) {
            return CliText.text("plan.advice.row.all", size);
        }
        PlanPoint.Planned plan = best.get();
        String known = plan.proven() ? CliText.text("plan.advice.row.proven") : "";
        return CliText.text("plan.advice.row", size, plan.method(), factor(plan.overhead()), known);
    }

    private boolean everythingFits(long budget) {
        PlanningProfile profile = ground.profile();
        return profile.plainPeakBytes() <= profile.spare().plannable(budget);
    }

    /** Why it is the one to take, as far as that is known. */
    private static Optional<String> reason(PlanPoint.Planned plan) {
        if (plan.proven()) {
            return Optional.of(CliText.text("plan.advice.proven"));
        }
        return plan.leastOverhead().isPresent()
                ? Optional.of(CliText.text(
                        "plan.advice.bound", factor(plan.leastOverhead().getAsDouble())))
                : Optional.of(CliText.text("plan.advice.fastest"));
    }

    private static Optional<String> asItRuns(PlanPoint.Planned plan) {
        return plan.choice() instanceof PlannedChoice.Online
                ? Optional.of(CliText.text("plan.advice.online"))
                : Optional.empty();
    }

    /** What can be set ahead comes first, as {@code --output} takes it: a runtime that evicts as it goes leaves nothing to set. */
    private Optional<PlanPoint.Planned> best(long budget) {
        List<PlanPoint> all = curve.points().stream()
                .filter(point -> point.budgetBytes() == budget)
                .toList();
        List<PlanPoint> ahead = all.stream().filter(point -> !asItGoes(point)).toList();
        return new ParetoCurve(ahead).fastestWithin(budget).or(() -> new ParetoCurve(all).fastestWithin(budget));
    }

    private static boolean asItGoes(PlanPoint point) {
        return point instanceof PlanPoint.Planned planned && planned.choice() instanceof PlannedChoice.Online;
    }

    /** How a plan comes to where it is to hold; empty where there is no plan. */
    private Optional<String> use() {
        if (curve.planned().isEmpty()) {
            return Optional.empty();
        }
        if (curve.planned().stream().noneMatch(this::canBeSaid)) {
            return Optional.of(CliText.text("plan.advice.no.words"));
        }
        String key = "plan.advice." + (oneBudget ? "use." : "use.with.budget.") + words();
        return Optional.of(CliText.text(key));
    }

    /** Whether some {@code --output} has words for such a plan. */
    private boolean canBeSaid(PlanPoint.Planned plan) {
        return plan.choice() instanceof PlannedChoice.Chain chain
                        && chain.tree().isPresent()
                || LayerChoice.of(ground.profile(), plan.choice()).isPresent();
    }

    /** Whose words suit this input best. */
    private String words() {
        if (running) {
            return "apply";
        }
        if (ground.mindformers().isPresent()) {
            return "mindformers";
        }
        if (ground.model().isEmpty()) {
            return "torch";
        }
        return ground.text().filter(text -> text.contains("--")).isPresent() ? "script" : "model";
    }

    private static String factor(double overhead) {
        return String.format(Locale.ROOT, "%.4f", overhead);
    }
}
