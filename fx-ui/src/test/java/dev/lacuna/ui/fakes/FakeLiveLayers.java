package dev.lacuna.ui.fakes;

import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import dev.lacuna.ui.places.planner.pareto.LiveLayers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;

/** Twelve layers that swap as fast as they compute. */
public final class FakeLiveLayers implements LiveLayers {
    private final SimpleObjectProperty<Boolean> available = new SimpleObjectProperty<>(false);
    private Optional<LayerPolicy> applied = Optional.empty();

    /** A process is there. */
    public void attach() {
        available.set(true);
    }

    /** What was applied last. */
    public Optional<LayerPolicy> applied() {
        return applied;
    }

    @Override
    public ObservableValue<Boolean> available() {
        return available;
    }

    @Override
    public CompletableFuture<LayerProfile> measure() {
        List<LayerMeasurement> layers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            layers.add(new LayerMeasurement(
                    "h." + i, 10_000_000, 20_000_000, 512L << 20, 32L << 20, 24_000_000, 24_000_000, 3));
        }
        return CompletableFuture.completedFuture(
                new LayerProfile(layers, 380_000_000L, 10L << 30, 8L << 30, 4L << 30, 22_000_000_000L));
    }

    @Override
    public CompletableFuture<Boolean> apply(LayerPolicy policy) {
        applied = Optional.of(policy);
        return CompletableFuture.completedFuture(true);
    }
}
