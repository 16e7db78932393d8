package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningMethod;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan in words. */
final class PlanText {
    private static final Texts TEXTS = Texts.of("planner");

    private PlanText() {}

    /** Method, memory, time, and how near to the best. */
    static List<String> lines(PlanPoint.Planned plan) {
        List<String> lines = new ArrayList<>();
        lines.add(title(plan.method()));
        lines.add(TEXTS.get("plan.needs", ByteText.of(plan.peakBytes()), overhead(plan.overhead())));
        lines.add(bound(plan));
        return lines;
    }

    /** The same in one line. */
    static String line(PlanPoint.Planned plan) {
        return String.join(", ", lines(plan));
    }

    /** How near to the best it is. */
    static String bound(PlanPoint.Planned plan) {
        if (plan.proven()) {
            return TEXTS.get("plan.proven");
        }
        return plan.leastOverhead().isEmpty()
                ? TEXTS.get("plan.unproven")
                : TEXTS.get(
                        "plan.bound",
                        overhead(plan.leastOverhead().getAsDouble()),
                        String.format(
                                Locale.ROOT,
                                "%.1f %%",
                                100 * (plan.overhead() / plan.leastOverhead().getAsDouble() - 1)));
    }

    static String title(String method) {
        return PlanningMethods.of(method).map(m -> m.title(Texts.locale())).orElse(method);
    }

    /** The first words of a method's title: a legend has little room. */
    static String shortTitle(PlanningMethod method) {
        return method.id();
    }

    static String overhead(double overhead) {
        return String.format(Locale.ROOT, "×%.3f", overhead);
    }

    /** A time in the profile's unit. */
    static String time(PlanningProfile profile, double time) {
        return switch (profile.timeUnit()) {
            case MILLISECONDS -> String.format(Locale.ROOT, "%.1f ms", time);
            case NANOSECONDS -> String.format(Locale.ROOT, "%.1f ms", time / 1e6);
            case COST -> String.format(Locale.ROOT, "%.0f", time);
        };
    }
}
