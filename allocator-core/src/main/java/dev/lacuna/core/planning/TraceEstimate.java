package dev.lacuna.core.planning;

import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.estimate.term.Expression;
import dev.lacuna.core.estimate.term.Source;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.estimate.term.Unit;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * An estimate from a recorded run or the exported graph of a step, under four assumptions about when a framework allocates and releases. The scope is a training step
 * where the trace marks steps, else the whole trace. Memory of the framework and of the device context is added apart.
 *
 * @param peaks the peak under each rule
 */
public record TraceEstimate(Map<Rule, Term> peaks) {
    /** When memory is taken and given back. */
    public enum Rule {
        /** Allocate when the operator runs, release after its last use: what the trace itself did. */
        ON_DEMAND_ON_DEATH("demand-death", false, false),
        /** Allocate when the operator runs, release when the step ends. */
        ON_DEMAND_ON_EXIT("demand-exit", false, true),
        /** Allocate when the step starts, release after the last use. */
        ON_START_ON_DEATH("start-death", true, false),
        /** Allocate when the step starts, release when it ends: no sharing within a step. */
        ON_START_ON_EXIT("start-exit", true, true);

        private final String id;
        private final boolean onStart;
        private final boolean onExit;

        Rule(String id, boolean onStart, boolean onExit) {
            this.id = id;
            this.onStart = onStart;
            this.onExit = onExit;
        }

        /** Its name in JSON. */
        public String id() {
            return id;
        }
    }

    public TraceEstimate {
        peaks = Collections.unmodifiableMap(new EnumMap<>(peaks));
    }

    /** Estimates from this trace. */
    public static TraceEstimate of(AllocationTrace trace, long frameworkBytes, long contextBytes) {
        return of(rule -> peak(trace, rule), frameworkBytes, contextBytes);
    }

    /**
     * Estimates from the operators of a step, exported before it ran. What an operator works in is there while it runs, weights the whole
     * time.
     */
    public static TraceEstimate of(GraphProfile graph, long frameworkBytes, long contextBytes) {
        return of(rule -> peak(graph, rule), frameworkBytes, contextBytes);
    }

    private static TraceEstimate of(ToLongFunction<Rule> peak, long frameworkBytes, long contextBytes) {
        Map<Rule, Term> peaks = new EnumMap<>(Rule.class);
        for (Rule rule : Rule.values()) {
            List<Term> parts = new ArrayList<>();
            long live = peak.applyAsLong(rule);
            Expression most = Expression.of("max Σ(taken − given back)", live);
            parts.add(Term.of("trace.live", Unit.BYTES, most, Source.TRACE));
            parts.add(Term.given("trace.framework", Unit.BYTES, frameworkBytes, Source.CALIBRATED));
            parts.add(Term.given("trace.context", Unit.BYTES, contextBytes, Source.CALIBRATED));
            peaks.put(rule, Term.sum("trace", Unit.BYTES, Source.TRACE, parts));
        }
        return new TraceEstimate(peaks);
    }

    private static long peak(GraphProfile graph, Rule rule) {
        int n = graph.size();
        int[] lastUse = new int[n];
        for (int i = 0; i < n; i++) {
            lastUse[i] = i;
            for (int input : graph.nodes().get(i).inputs()) {
                lastUse[input] = i;
            }
        }
        long[] change = new long[n + 1];
        for (int i = 0; i < n; i++) {
            long bytes = graph.nodes().get(i).bytes();
            change[rule.onStart ? 0 : i] += bytes;
            change[rule.onExit ? n : lastUse[i] + 1] -= bytes;
        }
        long live = 0;
        long peak = 0;
        for (int i = 0; i < n; i++) {
            live += change[i];
            peak = Math.max(peak, live + graph.nodes().get(i).workspaceBytes());
        }
        return graph.fixedBytes() + peak;
    }

    /** A sweep over the changes, each moved to its scope's begin or end where the rule says so. */
    private static long peak(AllocationTrace trace, Rule rule) {
        int n = trace.size();
        int[] scopeBegin = new int[n];
        int[] scopeEnd = new int[n];
        scopes(trace, scopeBegin, scopeEnd);
        long[] change = new long[n + 1];
        long[] sizes = new long[trace.blockCount()];
        for (int i = 0; i < n; i++) {
            if (trace.operation(i) == EventKind.ALLOC) {
                sizes[trace.block(i)] = trace.bytes(i);
                change[rule.onStart ? scopeBegin[i] : i] += trace.bytes(i);
            } else if (trace.operation(i) == EventKind.FREE) {
                change[rule.onExit ? scopeEnd[i] : i] -= sizes[trace.block(i)];
            }
        }
        long live = 0;
        long peak = 0;
        for (long bytes : change) {
            live += bytes;
            peak = Math.max(peak, live);
        }
        return peak;
    }

    /** For each event where its scope begins, and the first event behind it. What lies outside all steps is moved nowhere. */
    private static void scopes(AllocationTrace trace, int[] begin, int[] end) {
        int n = trace.size();
        boolean steps = false;
        int open = -1;
        for (int i = 0; i < n; i++) {
            begin[i] = open >= 0 ? open : i;
            end[i] = i;
            if (trace.operation(i) == EventKind.PHASE && trace.phase(i) == Phase.STEP) {
                if (trace.begins(i)) {
                    open = i;
                } else if (open >= 0) {
                    Arrays.fill(end, open, i + 1, i);
                    open = -1;
                }
                steps = true;
            }
        }
        if (!steps) {
            Arrays.fill(begin, 0);
            Arrays.fill(end, n);
        }
    }
}
