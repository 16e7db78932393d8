package dev.lacuna.core.planning.swap.adaptive;

import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Profiles to test with. */
public final class Profiles {
    private Profiles() {}

    public static LayerProfile of(long otherBytes, LayerMeasurement... layers) {
        return of(otherBytes, List.of(layers));
    }

    public static LayerProfile of(long otherBytes, List<LayerMeasurement> layers) {
        long step = layers.stream()
                .mapToLong(each -> each.forwardNs() + each.backwardNs())
                .sum();
        long saved = layers.stream().mapToLong(LayerMeasurement::savedBytes).sum();
        return new LayerProfile(layers, step, otherBytes + saved, otherBytes + saved, otherBytes, 0);
    }

    public static LayerMeasurement layer(
            long forwardNs, long backwardNs, long savedBytes, long inputBytes, long copyNs) {
        return new LayerMeasurement("layer", forwardNs, backwardNs, savedBytes, inputBytes, copyNs, copyNs, 5);
    }

    /** The same layer where only these actions may be asked of it. */
    static LayerMeasurement able(LayerMeasurement layer, Set<LayerAction> possible) {
        return new LayerMeasurement(
                layer.name(),
                layer.forwardNs(),
                layer.backwardNs(),
                layer.savedBytes(),
                layer.inputBytes(),
                layer.copyOutNs(),
                layer.copyInNs(),
                layer.steps(),
                possible);
    }

    public static LayerProfile random(Random random, int layers, boolean alike) {
        List<LayerMeasurement> all = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            LayerMeasurement next = layer(
                    1 + random.nextInt(20),
                    1 + random.nextInt(40),
                    random.nextInt(30),
                    random.nextInt(8),
                    random.nextInt(50));
            all.add(alike && i > 0 ? all.get(0) : next);
        }
        return of(random.nextInt(20), all);
    }
}
