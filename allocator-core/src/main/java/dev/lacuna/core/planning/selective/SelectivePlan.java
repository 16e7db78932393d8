package dev.lacuna.core.planning.selective;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What each layer does, in the framework's order.
 *
 * @param stage what it was planned for
 * @param layers a choice per layer
 */
public record SelectivePlan(SelectiveStage stage, List<SelectiveChoice> layers) {
    private static final double MIB_PER_GIB = 1024;
    /** A step with full recomputation: forward, forward again, and a backward pass of two. */
    private static final int FORWARDS_OF_FULL_STEP = 4;

    public SelectivePlan {
        layers = List.copyOf(layers);
    }

    /** How many layers make each choice, in the order of first use. */
    public Map<SelectiveChoice, Integer> counts() {
        Map<SelectiveChoice, Integer> counts = new LinkedHashMap<>();
        layers.forEach(choice -> counts.merge(choice, 1, Integer::sum));
        return counts;
    }

    /** Activations of one micro-batch, MiB. */
    public double memoryMb() {
        return layers.stream().mapToDouble(SelectiveChoice::memoryMb).sum();
    }

    /** What recomputing costs, milliseconds. */
    public double timeMs() {
        return layers.stream().mapToDouble(SelectiveChoice::timeMs).sum();
    }

    /** All of the device that it needs, MiB; this may be more than it was planned for. */
    public double deviceMb() {
        return stage.staticMb() + stage.inFlight() * memoryMb();
    }

    /** The share of a step with full recomputation that is saved. */
    public double speedUp() {
        double full = stage.layers() * stage.layer().timeMs();
        return full == 0 ? 0 : (full - timeMs()) / (full * FORWARDS_OF_FULL_STEP);
    }

    /** What the framework prints, line by line. */
    public List<String> lines() {
        double parents = stage.layer().modules().stream()
                .mapToDouble(LayerModule::memoryMb)
                .sum();
        String fixed = gib(stage.staticMb());
        List<String> chosen = counts().entrySet().stream()
                .map(each -> each.getKey().text(each.getValue()))
                .toList();
        return Stream.concat(
                        Stream.of(
                                "Without recompute: total mem cost: " + fixed + " + " + gib(parents * stage.layers())
                                        + ", total recompute 0, speed up over all recompute 25%",
                                "With all recompute: total mem cost: " + fixed + " + "
                                        + gib(stage.layer().inputMb() * stage.layers()) + ", total recompute all",
                                "With selective recompute:",
                                String.join("; ", chosen),
                                "total mem cost: " + fixed + " + " + gib(memoryMb() * stage.inFlight())
                                        + ", speed up compared with all recompute "
                                        + String.format(Locale.ROOT, "%.2f%%", 100 * speedUp()),
                                ">> final selective strategy <<"),
                        chosen.stream())
                .toList();
    }

    private static String gib(double mib) {
        return String.format(Locale.ROOT, "%.1f GiB", mib / MIB_PER_GIB);
    }
}
