package dev.lacuna.core.planning.method;

import dev.lacuna.core.planning.chain.ChainPlan;
import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.chain.StoreAll;
import dev.lacuna.core.planning.graph.model.GraphProfile;
import dev.lacuna.core.planning.online.program.OperatorProgram;
import dev.lacuna.core.planning.selective.SelectiveRecompute;
import dev.lacuna.core.planning.selective.SelectiveStage;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.adaptive.method.UniformMethod;
import dev.lacuna.core.planning.swap.kernel.KernelTrace;
import dev.lacuna.core.planning.swap.kernel.SwapMachine;
import dev.lacuna.core.planning.swap.kernel.SwapPlanner;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a training step takes: the ground on which plans are made. */
public sealed interface PlanningProfile {
    /** In what a profile measures time. */
    enum TimeUnit {
        MILLISECONDS(1),
        NANOSECONDS(1e6),
        /** Whatever the file counts in; only ratios mean something. */
        COST(1);

        private final double perMillisecond;

        TimeUnit(double perMillisecond) {
            this.perMillisecond = perMillisecond;
        }

        double perMillisecond() {
            return perMillisecond;
        }
    }

    /** Kinds of profiles. */
    enum Kind {
        CHAIN,
        GRAPH,
        LAYERS,
        MODULES,
        PROGRAM,
        KERNELS
    }

    /** Which kind this is. */
    Kind kind();

    /** In what times are given. */
    TimeUnit timeUnit();

    /** Time of a step that recomputes and swaps nothing. */
    double plainTime();

    /** Peak in bytes of a step that recomputes and swaps nothing: no budget above it changes anything. */
    long plainPeakBytes();

    /** Bytes below which no plan can exist: what one operation needs, and what is there whatever is planned. */
    long leastBytes();

    /** The same as a chain, where it is one. */
    default Optional<Chain> asChain() {
        return Optional.empty();
    }

    /** The same as a program that a runtime could run with less memory, where it can be written so. */
    default Optional<OperatorProgram> asProgram() {
        return Optional.empty();
    }

    /** The same as layers with copy times, where a link to the host is known. */
    default Optional<Layers> asLayers() {
        return Optional.empty();
    }

    /** What plans leave of each budget: something where budgets are limits of a process, nothing elsewhere. */
    default LimitSpare spare() {
        return LimitSpare.NONE;
    }

    /** Bytes that are there beside what {@link #asProgram} holds. */
    default long besideProgramBytes() {
        return 0;
    }

    /**
     * Layers one after another.
     *
     * @param chain one micro-batch through the layers
     * @param fixedBytes there whatever is planned: weights, gradients, states of the optimizer
     * @param inFlight micro-batches whose activations are kept at once, at least 1; one of them is being worked on
     * @param asLayers the same with the copy times of each layer, where somebody told the rate of the link
     */
    record Chain(ChainProfile chain, long fixedBytes, double inFlight, Optional<Layers> asLayers)
            implements PlanningProfile {
        /** A chain of which nothing can be swapped, since no link is known. */
        public Chain(ChainProfile chain, long fixedBytes, double inFlight) {
            this(chain, fixedBytes, inFlight, Optional.empty());
        }

        public Chain {
            if (fixedBytes < 0 || !(inFlight >= 1) || Double.isInfinite(inFlight)) {
                throw new IllegalArgumentException("fixed bytes start at 0, micro-batches in flight at 1");
            }
        }

        /** A chain alone, one micro-batch at a time. */
        public static Chain of(ChainProfile chain) {
            return new Chain(chain, 0, 1);
        }

        /** Peak in bytes with this plan: fixed, the micro-batch that is worked on, and what the others keep. */
        public long peakBytes(ChainPlan plan) {
            return fixedBytes + plan.peakBytes() + waiting(plan.keptBytes(chain));
        }

        /** Whether the last stage is no layer but the output matrix with the loss. */
        boolean endsWithLoss() {
            return chain.stages().get(chain.length() - 1).name().equals(ConfiguredModel.LOSS);
        }

        private long waiting(long keptBytes) {
            return (long) Math.ceil((inFlight - 1) * keptBytes);
        }

        @Override
        public Kind kind() {
            return Kind.CHAIN;
        }

        @Override
        public Optional<Chain> asChain() {
            return Optional.of(this);
        }

        /** One micro-batch at a time only: a runtime of the kind has no pipeline. */
        @Override
        public Optional<OperatorProgram> asProgram() {
            return inFlight == 1 ? Optional.of(OperatorProgram.of(chain)) : Optional.empty();
        }

        @Override
        public long besideProgramBytes() {
            return fixedBytes;
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.MILLISECONDS;
        }

        @Override
        public double plainTime() {
            return chain.unrecomputedMs();
        }

        @Override
        public long plainPeakBytes() {
            return peakBytes(new StoreAll().plan(chain, Long.MAX_VALUE).orElseThrow());
        }

        @Override
        public long leastBytes() {
            long most = 0;
            for (int i = 0; i < chain.length(); i++) {
                ChainStage stage = chain.stages().get(i);
                long input = chain.inputOf(i);
                long held = (i == 0 ? 0 : chain.inputBytes()) + input;
                long backward = stage.savedBytes() + stage.outputBytes() + input + stage.backwardExtraBytes();
                most = Math.max(most, held + backward);
            }
            long recomputing = fixedBytes + most + waiting(chain.inputBytes());
            return asLayers.map(layers -> Math.min(recomputing, layers.largestBytes()))
                    .orElse(recomputing);
        }
    }

    /** Layers of a running process as measured. */
    record Layers(LayerProfile measured, LimitSpare spare) implements PlanningProfile {
        private static final double NS_PER_MS = 1e6;
        private static final UniformMethod KEEP_ALL = new UniformMethod("store-all", LayerAction.KEEP);

        /** Layers to plan for whatever is allocated, to the last byte. */
        public Layers(LayerProfile measured) {
            this(measured, LimitSpare.NONE);
        }

        /** Layers of a process: budgets are limits on what it reserves, and plans must hold under them. */
        public static Layers live(LayerProfile measured) {
            return new Layers(measured, LimitSpare.ofProcess(measured));
        }

        public Layers {
            if (measured.layers().isEmpty()) {
                throw new IllegalArgumentException("a profile has at least one layer");
            }
        }

        @Override
        public Kind kind() {
            return Kind.LAYERS;
        }

        @Override
        public Optional<Layers> asLayers() {
            return Optional.of(this);
        }

        /** What is there beside the layers, and the largest of them: with all others away it still has to fit. */
        long largestBytes() {
            return measured.otherBytes()
                    + measured.layers().stream()
                            .mapToLong(LayerMeasurement::savedBytes)
                            .max()
                            .orElse(0);
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.NANOSECONDS;
        }

        @Override
        public double plainTime() {
            return keepAll().stepNs();
        }

        @Override
        public long plainPeakBytes() {
            return keepAll().peakBytes();
        }

        private AdaptivePlan keepAll() {
            return KEEP_ALL.plan(measured, Long.MAX_VALUE);
        }

        @Override
        public long leastBytes() {
            return measured.otherBytes();
        }

        /**
         * The chain of these layers. What is there whatever is planned is set so that keeping everything takes what was
         * measured.
         */
        @Override
        public Optional<Chain> asChain() {
            List<LayerMeasurement> layers = measured.layers();
            List<ChainStage> stages = new ArrayList<>();
            for (int i = 0; i < layers.size(); i++) {
                LayerMeasurement layer = layers.get(i);
                long output = layers.get(Math.min(i + 1, layers.size() - 1)).inputBytes();
                stages.add(new ChainStage(
                        layer.name(),
                        layer.forwardNs() / NS_PER_MS,
                        layer.backwardNs() / NS_PER_MS,
                        output,
                        Math.max(output, layer.savedBytes()),
                        0,
                        0));
            }
            Chain alone = Chain.of(new ChainProfile(layers.get(0).inputBytes(), stages));
            return Optional.of(new Chain(alone.chain(), Math.max(0, plainPeakBytes() - alone.plainPeakBytes()), 1));
        }
    }

    /** The operators of a step and what they read. */
    record Graph(GraphProfile graph) implements PlanningProfile {
        @Override
        public Kind kind() {
            return Kind.GRAPH;
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.COST;
        }

        @Override
        public double plainTime() {
            return graph.baseCost();
        }

        @Override
        public long plainPeakBytes() {
            return graph.peakWithoutRecomputation();
        }

        @Override
        public long leastBytes() {
            return graph.largestWorkingSet();
        }

        @Override
        public Optional<OperatorProgram> asProgram() {
            return Optional.of(OperatorProgram.of(graph));
        }
    }

    /** Layers all alike, of which the modules inside are known. */
    record Modules(SelectiveStage stage) implements PlanningProfile {
        static final double MIB = 1 << 20;
        /** A backward pass takes as long as two forward passes: the framework's own assumption. */
        private static final int FORWARDS_OF_STEP = 3;

        public Modules {
            SelectiveRecompute.check(stage.layer());
        }

        static long bytes(double mib) {
            return (long) Math.ceil(mib * MIB);
        }

        @Override
        public Kind kind() {
            return Kind.MODULES;
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.MILLISECONDS;
        }

        @Override
        public double plainTime() {
            return FORWARDS_OF_STEP * stage.layers() * stage.layer().timeMs();
        }

        @Override
        public long plainPeakBytes() {
            return bytes(stage.staticMb()
                    + stage.inFlight() * stage.layers() * stage.layer().memoryMb());
        }

        @Override
        public long leastBytes() {
            return bytes(stage.staticMb()
                    + stage.inFlight() * stage.layers() * stage.layer().inputMb());
        }
    }

    /**
     * The kernels of a step and the machine that runs them; the machine's own device memory does not matter, budgets take its
     * place.
     */
    record Kernels(KernelTrace trace, SwapMachine machine) implements PlanningProfile {
        private static final double NS_PER_S = 1e9;

        @Override
        public Kind kind() {
            return Kind.KERNELS;
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.NANOSECONDS;
        }

        @Override
        public double plainTime() {
            return trace.idealCycles() / (double) machine.clockHz() * NS_PER_S;
        }

        @Override
        public long plainPeakBytes() {
            return SwapPlanner.peakBytes(trace);
        }

        @Override
        public long leastBytes() {
            return SwapPlanner.largestKernelBytes(trace);
        }
    }

    /** A recorded program, operator by operator, which a runtime runs with less memory than it took. */
    record Program(OperatorProgram program) implements PlanningProfile {
        @Override
        public Kind kind() {
            return Kind.PROGRAM;
        }

        @Override
        public Optional<OperatorProgram> asProgram() {
            return Optional.of(program);
        }

        @Override
        public TimeUnit timeUnit() {
            return TimeUnit.NANOSECONDS;
        }

        @Override
        public double plainTime() {
            return program.computeNs();
        }

        @Override
        public long plainPeakBytes() {
            return program.peakBytes();
        }

        @Override
        public long leastBytes() {
            return program.constantBytes();
        }
    }
}
