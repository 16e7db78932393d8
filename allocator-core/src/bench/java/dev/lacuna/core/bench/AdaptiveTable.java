package dev.lacuna.core.bench;

import dev.lacuna.core.estimate.EstimatedStage;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.MegatronConfiguration;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.planning.ProfileReader;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.adaptive.AdaptiveMethods;
import dev.lacuna.core.planning.swap.adaptive.EstimatedLayers;
import dev.lacuna.core.planning.swap.adaptive.Prediction;
import dev.lacuna.core.planning.swap.adaptive.Prediction.Measured;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What each method of adaptive memory is predicted to take, per workload and limit, and beside it what a process took.
 * Workloads without a file are made from formulas and a stated speed: predictions, not results.
 */
public final class AdaptiveTable {
    private static final List<Integer> SHARES = List.of(90, 80, 70, 60, 50, 40);
    /** What an A100 sustains in training, floating-point operations a second, in 16 and in 32 bits. */
    private static final double HALF_SPEED = 150e12;

    private static final double SINGLE_SPEED = 15e12;
    /** PCIe 4.0 x16 as measured by most: 24 GB/s. */
    private static final long LINK = 24_000_000_000L;

    private AdaptiveTable() {}

    /**
     * Prints.
     *
     * @param arguments a profile as {@code lacuna layers --json} saves it, and a table of measured steps ({@code
     *     policy,limit_bytes,step_ns,peak_bytes} with a head line; without a time and a peak where it ran out of memory); or neither, for the workloads made here
     */
    public static void main(String[] arguments) throws IOException, RefusedException {
        print(List.of(arguments));
    }

    private static void print(List<String> arguments) throws IOException, RefusedException {
        if (arguments.isEmpty()) {
            for (Map.Entry<String, LayerProfile> each : workloads().entrySet()) {
                overheads(each.getKey(), each.getValue());
            }
            return;
        }
        byte[] content = Files.readAllBytes(Path.of(arguments.get(0)));
        if (!(ProfileReader.read(content).orElse(null) instanceof PlanningProfile.Layers layers)) {
            throw new IOException(arguments.get(0) + " holds no measured layers");
        }
        predictions(
                layers.measured(), arguments.size() > 1 ? measured(Path.of(arguments.get(1))) : List.of());
    }

    private static List<Measured> measured(Path table) throws IOException {
        List<Measured> rows = new ArrayList<>();
        for (String line : Files.readAllLines(table)) {
            String[] cells = line.strip().split(",", -1);
            if (cells.length == 4 && cells[0].matches("[KSR]+")) {
                LayerPolicy policy = LayerPolicy.parse(cells[0]);
                long limit = Long.parseLong(cells[1].strip());
                rows.add(
                        cells[2].isBlank()
                                ? Measured.ranOut(policy, limit)
                                : new Measured(
                                        policy,
                                        limit,
                                        Long.parseLong(cells[2].strip()),
                                        Long.parseLong(cells[3].strip())));
            }
        }
        return rows;
    }

    /** One line per method and limit. */
    private static void predictions(LayerProfile profile, List<Measured> measured) {
        List<Long> limits = new ArrayList<>(
                measured.stream().map(Measured::limitBytes).distinct().sorted().toList());
        if (limits.isEmpty()) {
            SHARES.forEach(share -> limits.add(limit(profile, share)));
        }
        System.out.println("| limit, MiB | method | policy | predicted step, ms | peak, MiB | gap, % "
                + "| measured step, ms | peak, MiB | time off by, % |");
        System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Prediction each : Prediction.of(profile, limits, measured)) {
            AdaptivePlan plan = each.plan();
            System.out.printf(
                    Locale.ROOT,
                    "| %.0f | %s | %s | %s | %.0f | %s | %s | %s | %s |%n",
                    mib(each.limitBytes()),
                    plan.method(),
                    plan.policy().letters(),
                    plan.fits() ? "%.1f".formatted(plan.stepNs() / 1e6) : "does not fit",
                    mib(plan.peakBytes()),
                    plan.method().equals("lacuna") ? "%.2f".formatted(100 * plan.gap()) : "",
                    each.measured()
                            .map(m -> m.isOut() ? "ran out" : "%.1f".formatted(m.stepNs() / 1e6))
                            .orElse(""),
                    each.measured()
                            .filter(m -> !m.isOut())
                            .map(m -> "%.0f".formatted(mib(m.peakBytes())))
                            .orElse(""),
                    each.timeError().map(e -> "%+.1f".formatted(100 * e)).orElse(""));
        }
    }

    /** One line per method: overhead over a step that keeps all, by limit. */
    private static void overheads(String workload, LayerProfile profile) {
        System.out.printf(
                Locale.ROOT,
                "%n%s: %d layers, %.1f GiB kept of %.1f GiB, step %.0f ms%n%n| overhead, %% |",
                workload,
                profile.layers().size(),
                mib(profile.savedBytes()) / 1024,
                mib(profile.peakAllocatedBytes()) / 1024,
                profile.stepNs() / 1e6);
        SHARES.forEach(share -> System.out.print(" " + share + " % |"));
        System.out.print("\n| --- |");
        SHARES.forEach(share -> System.out.print(" --- |"));
        System.out.println();
        for (AdaptiveMethod method : AdaptiveMethods.all()) {
            System.out.print("| " + method.id() + " |");
            for (int share : SHARES) {
                AdaptivePlan plan = method.plan(profile, limit(profile, share));
                String gap = plan.method().equals("lacuna") && plan.gap() > 0
                        ? " (gap %.1f)".formatted(100 * plan.gap())
                        : "";
                System.out.printf(
                        Locale.ROOT,
                        " %s |",
                        plan.fits()
                                ? "%.1f".formatted(100.0 * plan.stepNs() / profile.stepNs() - 100) + gap
                                : "–");
            }
            System.out.println();
        }
    }

    private static long limit(LayerProfile profile, int share) {
        return profile.otherBytes() + profile.savedBytes() * share / 100;
    }

    private static double mib(long bytes) {
        return bytes / (double) (1 << 20);
    }

    private static Map<String, LayerProfile> workloads() throws RefusedException {
        Map<String, LayerProfile> all = new LinkedHashMap<>();
        all.put(
                "GPT, 24 layers of 2048, 8 × 2048 tokens",
                megatron("--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 2048"
                        + " --max-position-embeddings 2048 --micro-batch-size 8 --global-batch-size 8 --bf16"
                        + " --use-flash-attn --vocab-size 50257"));
        all.put(
                "Llama 2 7B on two devices, 1 × 4096 tokens",
                preset("llama2-7b", "--tensor-model-parallel-size 2 --sequence-parallel"));
        all.put(
                "Llama 3.1 70B on sixteen devices, 1 × 8192 tokens",
                preset("llama3.1-70b", "--tensor-model-parallel-size 16 --sequence-parallel"));
        all.put("ResNet-50, 128 images, 32 bits", resNet(128));
        return all;
    }

    private static LayerProfile preset(String name, String more) throws RefusedException {
        Arguments model = Presets.of(name).orElseThrow();
        return profile(model.with(Arguments.parse(
                more + " --micro-batch-size 1 --global-batch-size 1 --use-flash-attn")));
    }

    private static LayerProfile megatron(String arguments) throws RefusedException {
        return profile(Arguments.parse(arguments));
    }

    private static LayerProfile profile(Arguments arguments) throws RefusedException {
        return EstimatedLayers.of(EstimatedStage.of(MegatronConfiguration.of(arguments)).get(0), HALF_SPEED, LINK);
    }

    /** Bottleneck blocks by shape: each convolution and each normalisation keeps its input (He et al., 2016). */
    private static LayerProfile resNet(int images) {
        int[] blocks = {3, 4, 6, 3};
        List<LayerMeasurement> layers = new ArrayList<>();
        long elements = 4L * images;
        double stem = 2.0 * images * 112 * 112 * 64 * 147;
        layers.add(layer("stem", stem, elements * (3 * 224 * 224 + 2L * 64 * 112 * 112), elements * 3 * 224 * 224));
        long channels = 64;
        for (int stage = 0; stage < blocks.length; stage++) {
            long side = 56 >> stage;
            long width = 64L << stage;
            for (int block = 0; block < blocks[stage]; block++) {
                long side0 = block == 0 && stage > 0 ? 2 * side : side;
                long area = side * side;
                double macs = (double) channels * width * side0 * side0 + 9.0 * width * width * area
                        + 4.0 * width * width * area + (block == 0 ? (double) channels * 4 * width * area : 0);
                long kept = channels * side0 * side0 + 2 * width * side0 * side0 + 2 * width * area
                        + 2 * 4 * width * area;
                layers.add(layer(
                        "block." + stage + "." + block,
                        2 * images * macs,
                        elements * kept,
                        elements * channels * side0 * side0));
                channels = 4 * width;
            }
        }
        long stepNs = layers.stream()
                .mapToLong(each -> each.forwardNs() + each.backwardNs())
                .sum();
        long kept = layers.stream().mapToLong(LayerMeasurement::savedBytes).sum();
        // 25.6 million weights with gradient and two moments.
        long other = 16L * 25_600_000;
        return new LayerProfile(layers, stepNs, other + kept, other + kept, other, LINK);
    }

    private static LayerMeasurement layer(String name, double operations, long savedBytes, long inputBytes) {
        long forwardNs = Math.round(operations / SINGLE_SPEED * 1e9);
        return new LayerMeasurement(name, forwardNs, 2 * forwardNs, savedBytes, inputBytes, 0, 0, 1);
    }
}
