package dev.lacuna.core.planning.swap.mindspeed;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selection of the modules whose swapping hides behind the computation: it starts with the direct children of the layer
 * and breaks the last one up for as long as the layer's forward pass is more than five per cent slower.
 */
public final class LosslessSwap {
    private static final double TOLERATED_SLOWDOWN = 0.05;

    private final double unswappedMs;
    private final List<ModuleProfile> chosen;
    private boolean stable;

    /**
     * @param layer the profiled layer
     * @param unswappedMs its forward time without swapping, milliseconds
     */
    public LosslessSwap(ModuleProfile layer, double unswappedMs) {
        this.unswappedMs = unswappedMs;
        this.chosen = new ArrayList<>(layer.children().stream()
                .filter(child -> child.cost().isPresent())
                .toList());
        this.stable = chosen.isEmpty();
    }

    /** Names of the modules to swap in the next step. */
    public Set<String> swapped() {
        return chosen.stream().map(ModuleProfile::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the selection is final. */
    public boolean stable() {
        return stable;
    }

    /** Learns from a step: the layer's forward time with {@link #swapped} swapped, milliseconds. */
    public void stepEnded(double forwardMs) {
        if (stable) {
            return;
        }
        if ((forwardMs - unswappedMs) / unswappedMs > TOLERATED_SLOWDOWN) {
            ModuleProfile last = chosen.remove(chosen.size() - 1);
            last.nearestProfiled().forEach(chosen::add);
            stable = chosen.isEmpty();
        } else {
            stable = true;
        }
    }
}
