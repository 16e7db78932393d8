package dev.lacuna.core.bench;

import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.PlanningTerms;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.method.PlanningMethods;
import dev.lacuna.core.planning.method.PlanningProfile;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Processor time of planning made chains and graphs: every method at eight budgets, with the usual effort. */
public final class PlanTable {
    private static final int BUDGETS = 8;

    private PlanTable() {}

    /** Prints the table in Markdown. */
    public static void main(String[] args) {
        System.out.printf(
                "| profile | processor time, s | over 64 layers | ended early | overhead at the third budget |%n");
        System.out.printf("| --- | --- | --- | --- | --- |%n");
        double first = row("chain of 64 layers", chain(64), 0);
        row("chain of 500 layers", chain(500), first);
        row("graph of 3,000 nodes", graph(3_000), first);
    }

    private static double row(String name, PlanningProfile profile, double first) {
        List<Long> budgets = ParetoCurve.budgets(profile, BUDGETS);
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        ParetoCurve curve = ParetoCurve.of(
                profile,
                PlanningMethods.suited(profile),
                budgets,
                PlanningTerms.of(PlanningEffort.USUAL, () -> false),
                point -> {},
                next -> {});
        double seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
        long early = curve.points().stream().filter(PlanPoint::endedEarly).count();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.1f | %d of %d | %.4f |%n",
                name,
                seconds,
                seconds / (first > 0 ? first : seconds),
                early,
                curve.points().size(),
                curve.fastestWithin(budgets.get(2))
                        .map(PlanPoint.Planned::overhead)
                        .orElse(Double.NaN));
        return seconds;
    }

    private static PlanningProfile chain(int layers) {
        SplittableRandom random = new SplittableRandom(layers);
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            long output = random.nextLong(1 << 18, 1 << 22);
            long saved = output + random.nextLong(1 << 20, 1 << 25);
            stages.add(new ChainStage(
                    "h." + i, random.nextDouble(0.2, 3), random.nextDouble(0.5, 6), output, saved, 0, 0));
        }
        return new PlanningProfile.Chain(new ChainProfile(1 << 20, stages), 1 << 28, 1);
    }

    /** A forward pass with skips, and its mirror. */
    private static PlanningProfile graph(int nodes) {
        SplittableRandom random = new SplittableRandom(nodes);
        int forward = nodes / 2;
        List<GraphNode> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            TreeSet<Integer> inputs = new TreeSet<>();
            if (i > 0) {
                inputs.add(i - 1);
            }
            if (i >= forward) {
                inputs.add(nodes - 1 - i);
                inputs.addAll(all.get(nodes - 1 - i).inputs());
            } else if (i > 3 && random.nextInt(10) < 3) {
                inputs.add(i - 2 - random.nextInt(2));
            }
            all.add(new GraphNode(
                    "n" + i,
                    random.nextLong(1, 2_000),
                    random.nextLong(1 << 18, 1 << 24),
                    0,
                    i >= forward,
                    List.copyOf(inputs)));
        }
        return new PlanningProfile.Graph(new GraphProfile("made", "", 0, all));
    }
}
