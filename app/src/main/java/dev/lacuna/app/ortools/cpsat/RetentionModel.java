package dev.lacuna.app.ortools.cpsat;

import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.LinearArgument;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.Literal;
import dev.lacuna.core.planning.graph.model.GraphNode;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.graph.model.GraphStep;
import dev.lacuna.core.planning.graph.model.StageSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Checkmate's programme (Jain et al., MLSys 2020, section 4) for CP-SAT: stage t computes earlier nodes again, in order, and then
 * node t. What is true or false: node i is computed again in stage t; its value is kept into stage t; within a stage, it is held
 * until its m-th user there. The last replaces the programme's "freed after" by an order of literals, in which the bytes alive at a
 * computation are one plain sum. Every schedule in stages within the budget, and of at most the given cost, is a solution, and the
 * other way round; so bounds hold for all of them.
 */
final class RetentionModel {
    private final GraphProfile graph;
    private final long limit;
    private final UsefulStages useful;
    private final CpModel model = CpSat.model();
    /** By stage and node; null where it never pays. */
    private final BoolVar[][] again;
    /** By stage and node: there at the beginning of the stage. */
    private final BoolVar[][] kept;
    /** By stage, node and user: held until this user of the stage is computed. */
    private final BoolVar[][][] held;
    /** By stage and node: its users that may be computed in the stage. */
    private final int[][][] users;

    /**
     * Builds the model.
     *
     * @param budgetBytes fixed bytes included
     * @param leastSpare a proven bound on the cost of all recomputations
     * @param mostSpare solutions that recompute for more are left out
     * @param mostTerms as large a model is refused
     * @throws TooLargeException for a model of more terms
     */
    RetentionModel(GraphProfile graph, long budgetBytes, long leastSpare, long mostSpare, long mostTerms) {
        this.graph = graph;
        limit = budgetBytes - graph.fixedBytes();
        useful = new UsefulStages(graph, mostSpare);
        int size = graph.size();
        again = new BoolVar[size][];
        kept = new BoolVar[size + 1][];
        held = new BoolVar[size][][];
        users = new int[size][][];
        refuseTooLarge(mostTerms);
        for (int stage = 0; stage < size; stage++) {
            declare(stage);
        }
        kept[size] = new BoolVar[size];
        for (int stage = 0; stage < size; stage++) {
            connect(stage);
            limitBytes(stage);
        }
        LinearExpr cost = cost();
        model.addLinearConstraint(cost, leastSpare, mostSpare);
        model.minimize(cost);
    }

    /** A model that would take too much memory. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLargeException(long terms) {
            super("a model of " + terms + " terms");
        }
    }

    private void refuseTooLarge(long most) {
        long terms = 0;
        for (int stage = 0; stage < graph.size(); stage++) {
            int last = stage;
            long computed = 1
                    + IntStream.range(0, stage)
                            .filter(i -> useful.computes(last, i))
                            .count();
            terms += computed
                    * IntStream.range(0, stage)
                            .filter(i -> useful.keeps(last, i))
                            .count();
            if (terms > most) {
                throw new TooLargeException(terms);
            }
        }
    }

    private void declare(int stage) {
        again[stage] = new BoolVar[stage];
        kept[stage] = new BoolVar[stage];
        held[stage] = new BoolVar[stage][];
        users[stage] = new int[stage][];
        for (int node = 0; node < stage; node++) {
            if (useful.keeps(stage, node)) {
                kept[stage][node] = model.newBoolVar("");
            }
            if (useful.computes(stage, node)) {
                again[stage][node] = model.newBoolVar("");
            }
        }
        for (int node = 0; node < stage; node++) {
            users[stage][node] = Arrays.stream(useful.users(node))
                    .filter(user -> user == stage || user < stage && again[stage][user] != null)
                    .toArray();
            held[stage][node] = IntStream.range(0, users[stage][node].length)
                    .mapToObj(m -> model.newBoolVar(""))
                    .toArray(BoolVar[]::new);
        }
    }

    /** What is held was kept or computed again, what is read is held, what is kept on was held to the last. */
    private void connect(int stage) {
        for (int node = 0; node < stage; node++) {
            BoolVar[] line = held[stage][node];
            for (int m = 0; m < line.length; m++) {
                int user = users[stage][node][m];
                if (user == stage) {
                    model.addEquality(line[m], 1);
                } else {
                    model.addImplication(again[stage][user], line[m]);
                }
                if (m > 0) {
                    model.addImplication(line[m], line[m - 1]);
                }
            }
            BoolVar on = keptOn(stage, node);
            if (line.length > 0) {
                there(stage, node, line[0]);
                if (on != null) {
                    model.addImplication(on, line[line.length - 1]);
                }
            } else if (on != null) {
                there(stage, node, on);
            }
            if (kept[stage][node] != null && again[stage][node] != null) {
                model.addAtMostOne(new Literal[] {kept[stage][node], again[stage][node]});
            }
        }
    }

    private BoolVar keptOn(int stage, int node) {
        return kept[stage + 1][node];
    }

    private void there(int stage, int node, BoolVar wanted) {
        List<Literal> sources = new ArrayList<>(List.of(wanted.not()));
        if (kept[stage][node] != null) {
            sources.add(kept[stage][node]);
        }
        if (again[stage][node] != null) {
            sources.add(again[stage][node]);
        }
        model.addBoolOr(sources);
    }

    private void limitBytes(int stage) {
        for (int at = 0; at <= stage; at++) {
            if (at == stage || again[stage][at] != null) {
                limitBytes(stage, at);
            }
        }
    }

    /** The bytes alive while a node is computed in a stage: a literal for each value, true for as long as it is there. */
    private void limitBytes(int stage, int at) {
        List<LinearArgument> literals = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        GraphNode node = graph.nodes().get(at);
        for (int other = 0; other < stage; other++) {
            BoolVar literal = other < at ? heldAt(stage, other, at) : kept[stage][other];
            long size = graph.nodes().get(other).bytes();
            if (literal != null && size > 0) {
                literals.add(literal);
                bytes.add(size);
            }
        }
        long always = 0;
        if (at == stage) {
            always = node.bytes() + node.workspaceBytes();
        } else {
            literals.add(again[stage][at]);
            bytes.add(node.bytes() + node.workspaceBytes());
        }
        if (bytes.stream().mapToLong(Long::longValue).sum() > limit - always) {
            model.addLessOrEqual(
                    LinearExpr.weightedSum(
                            literals.toArray(LinearArgument[]::new),
                            bytes.stream().mapToLong(Long::longValue).toArray()),
                    limit - always);
        }
    }

    private BoolVar heldAt(int stage, int node, int at) {
        int[] readers = users[stage][node];
        for (int m = 0; m < readers.length; m++) {
            if (readers[m] >= at) {
                return held[stage][node][m];
            }
        }
        return keptOn(stage, node);
    }

    private LinearExpr cost() {
        List<LinearArgument> literals = new ArrayList<>();
        List<Long> costs = new ArrayList<>();
        for (BoolVar[] stage : again) {
            for (int node = 0; node < stage.length; node++) {
                if (stage[node] != null) {
                    literals.add(stage[node]);
                    costs.add(graph.nodes().get(node).cost());
                }
            }
        }
        return LinearExpr.weightedSum(
                literals.toArray(LinearArgument[]::new),
                costs.stream().mapToLong(Long::longValue).toArray());
    }

    CpModel model() {
        return model;
    }

    /** Lets the search begin with a schedule that can be run. What the model left out of it stays without a hint. */
    void hint(List<GraphStep> steps) {
        StagesOfSteps known = new StagesOfSteps(graph, steps);
        for (int stage = 0; stage < graph.size(); stage++) {
            for (int node = 0; node < stage; node++) {
                hint(again[stage][node], known.computes(stage, node));
                hint(kept[stage][node], known.keeps(stage, node));
                boolean needed = stage + 1 < graph.size() && known.keeps(stage + 1, node);
                for (int m = held[stage][node].length - 1; m >= 0; m--) {
                    int user = users[stage][node][m];
                    needed |= user == stage || known.computes(stage, user);
                    hint(held[stage][node][m], needed);
                }
            }
        }
    }

    private void hint(BoolVar variable, boolean value) {
        if (variable != null) {
            model.addHint((Literal) variable, value);
        }
    }

    /** The schedule of a solution. */
    List<GraphStep> steps(CpSolver solution) {
        StageSchedule schedule = StageSchedule.withoutRecomputation(graph);
        for (int stage = 0; stage < again.length; stage++) {
            for (int node = 0; node < stage; node++) {
                if (again[stage][node] != null && solution.booleanValue(again[stage][node])) {
                    schedule.recompute(stage, node);
                }
            }
        }
        return schedule.steps();
    }
}
