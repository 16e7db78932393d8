package dev.lacuna.core.estimate;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.base.counters.PeakGap;
import dev.lacuna.core.estimate.formula.StageMemory;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.term.Term;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * An estimate held against a running process. The estimate is of allocated memory; what is reserved beyond that is the allocator's, what
 * is outside the device's and its libraries'. Where both disagree, the configuration may not be the one that runs: the settings with
 * which the estimate would agree are looked for, changing one at a time.
 *
 * @param estimatedBytes the estimate of this stage
 * @param explanations settings that would explain the difference, best first; none where the estimate agrees already
 */
public record Calibration(int stage, double estimatedBytes, Measured measured, List<Explanation> explanations) {
    /** As near as estimates of full-size models usually come: docs/planning.md, 90 % quantile of published rows. */
    public static final double AGREES_WITHIN = 0.08;

    /** Beyond so many times as much or as little no setting of this model is the reason: most likely another one runs. */
    private static final double OTHER_MODEL_TIMES = 10;

    /** A setting explains a difference where what is left of it is no more than this share of the measured. */
    private static final double EXPLAINS_WITHIN = 0.25;

    private static final int MOST_EXPLANATIONS = 3;

    /** Work spaces beyond this are no libraries' any more: ten times what the calibrated devices take. */
    private static final double MOST_OVERHEAD = 1L << 30;

    /**
     * One setting that would explain the difference.
     *
     * @param key name of the setting; the words stand in {@code terms*.properties}
     * @param arguments to give beside the others to make it so
     * @param bytes the estimate with it
     */
    public record Explanation(String key, Arguments arguments, double bytes) {
        /** In words, in this language. */
        public String text(Locale locale) {
            return Term.WORDS.text(locale, "explanation." + key);
        }
    }

    public Calibration {
        explanations = List.copyOf(explanations);
    }

    /**
     * Holds one stage against a process that runs it.
     *
     * @param input what the estimate is made of
     * @param overriding arguments that hold instead of the input's
     * @throws RefusedException when there is no estimate
     */
    public static Calibration of(EstimateInput input, Arguments overriding, int stage, Measured measured)
            throws RefusedException {
        double estimated = bytes(input, overriding, stage);
        List<Explanation> found = new ArrayList<>();
        if (Math.abs(difference(estimated, measured)) > AGREES_WITHIN) {
            for (Map.Entry<String, Arguments> other : alternatives().entrySet()) {
                consider(input, overriding, stage, other.getKey(), other.getValue(), found);
            }
        }
        double before = Math.abs(estimated - measured.allocatedBytes());
        double most = Math.min(before / 2, EXPLAINS_WITHIN * measured.allocatedBytes());
        return new Calibration(
                stage,
                estimated,
                measured,
                found.stream()
                        .filter(e -> Math.abs(e.bytes() - measured.allocatedBytes()) < most)
                        .sorted(Comparator.comparingDouble(e -> Math.abs(e.bytes() - measured.allocatedBytes())))
                        .limit(MOST_EXPLANATIONS)
                        .toList());
    }

    /** Measured less estimated, as a share of the measured. */
    public double difference() {
        return difference(estimatedBytes, measured);
    }

    /** Whether the two agree as well as estimates do. */
    public boolean agrees() {
        return Math.abs(difference()) <= AGREES_WITHIN;
    }

    /** Whether they are so far apart that the process is most likely not this model. */
    public boolean isOtherModel() {
        long allocated = measured.allocatedBytes();
        return allocated > 0
                && (allocated * OTHER_MODEL_TIMES < estimatedBytes || allocated > OTHER_MODEL_TIMES * estimatedBytes);
    }

    /** Reserved beyond what was allocated, at the peaks. */
    public long gapBytes() {
        return Math.max(0, new PeakGap(measured.reservedBytes(), measured.allocatedBytes()).bytes());
    }

    /** What the device needs in all: the estimate, the allocator's gap, and what is outside. */
    public double deviceBytes() {
        return estimatedBytes + gapBytes() + measured.outsideBytes();
    }

    /**
     * Work spaces with which the estimate would meet the measurement, where so much can be work spaces.
     *
     * @param overheadBytes work spaces that the estimate holds now
     */
    public OptionalInt overheadBytes(double overheadBytes) {
        double wanted = overheadBytes + measured.allocatedBytes() - estimatedBytes;
        return wanted >= 0 && wanted <= MOST_OVERHEAD ? OptionalInt.of((int) Math.round(wanted)) : OptionalInt.empty();
    }

    private static double difference(double estimated, Measured measured) {
        return measured.allocatedBytes() == 0 ? 0 : (measured.allocatedBytes() - estimated) / measured.allocatedBytes();
    }

    private static void consider(
            EstimateInput input,
            Arguments overriding,
            int stage,
            String key,
            Arguments change,
            List<Explanation> into) {
        try {
            into.add(new Explanation(key, change, bytes(input, overriding.with(change), stage)));
        } catch (RefusedException e) {
            // A setting that this model does not admit explains nothing.
        }
    }

    private static double bytes(EstimateInput input, Arguments arguments, int stage) throws RefusedException {
        List<StageMemory> stages =
                new Estimator(input.configuration(arguments)).estimate().stages();
        return stages.get(Math.min(stage, stages.size() - 1)).memory().value();
    }

    private static Map<String, Arguments> alternatives() {
        Map<String, Arguments> others = new LinkedHashMap<>();
        others.put("recompute.none", arguments("recompute-granularity", "none", "recompute-activations", "false"));
        others.put("recompute.selective", arguments("recompute-granularity", "selective"));
        others.put("recompute.full", arguments("recompute-granularity", "full", "recompute-method", "uniform"));
        others.put("attention.unfused", arguments("attention-backend", "unfused", "use-flash-attn", "false"));
        others.put("attention.flash", arguments("use-flash-attn", "true"));
        others.put("zero.0", arguments("zero-stage", "0"));
        others.put("zero.1", arguments("zero-stage", "1"));
        others.put("zero.2", arguments("zero-stage", "2"));
        others.put("zero.3", arguments("zero-stage", "3"));
        others.put("swap.attention", arguments("swap-attention", "true"));
        others.put("swap.optimizer", arguments("swap-optimizer", "true"));
        others.put("sequence.parallel", arguments("sequence-parallel", "true"));
        others.put("precision.fp32", arguments("bf16", "false", "fp16", "false"));
        others.put("precision.bf16", arguments("bf16", "true", "fp16", "false"));
        return others;
    }

    private static Arguments arguments(String... pairs) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(pairs[i], pairs[i + 1]);
        }
        return new Arguments(values);
    }
}
