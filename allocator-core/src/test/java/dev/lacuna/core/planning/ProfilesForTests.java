package dev.lacuna.core.planning;

import dev.lacuna.core.planning.chain.ChainProfile;
import dev.lacuna.core.planning.chain.ChainStage;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Profiles for tests. */
public final class ProfilesForTests {
    private ProfilesForTests() {}

    public static PlanningProfile.Chain chain(int layers) {
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            stages.add(new ChainStage("layers." + i, 10, 20, 100, 800, 0, 50));
        }
        return PlanningProfile.Chain.of(new ChainProfile(100, stages));
    }

    public static PlanningProfile.Chain random(Random random) {
        int length = 2 + random.nextInt(9);
        List<ChainStage> stages = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            long output = 1 + random.nextInt(20);
            stages.add(new ChainStage(
                    "s" + i,
                    1 + random.nextInt(20),
                    1 + random.nextInt(40),
                    output,
                    output + random.nextInt(60),
                    random.nextInt(3),
                    random.nextInt(3)));
        }
        ChainProfile chain = new ChainProfile(1 + random.nextInt(20), stages);
        return new PlanningProfile.Chain(chain, random.nextInt(30), 1 + random.nextInt(3));
    }

    /** Layers of different sizes. */
    public static PlanningProfile.Layers randomLayers(Random random) {
        List<LayerMeasurement> layers = new ArrayList<>();
        long saved = 0;
        long time = 0;
        for (int i = 0; i < 3 + random.nextInt(6); i++) {
            long bytes = (2L + random.nextInt(14)) << 20;
            long forward = 1_000_000L * (1 + random.nextInt(20));
            layers.add(new LayerMeasurement("h." + i, forward, 2 * forward, bytes, 1 << 20, 4_000_000, 4_000_000, 3));
            saved += bytes;
            time += 3 * forward;
        }
        return new PlanningProfile.Layers(
                new LayerProfile(layers, time + 1_000_000, saved + (64 << 20), 1L << 30, 64 << 20, 2_000_000_000L));
    }

    /** Equal layers of modules. */
    public static PlanningProfile modules(Random random) throws IOException {
        String text = """
                {"layers": %d, "fixed_bytes": 1048576, "layer": {"memory_bytes": 8388608, "input_bytes": 1048576,
                 "forward_ms": 9, "modules": [{"name": "a", "memory_bytes": %d, "input_bytes": 1048576, "forward_ms": 4},
                  {"name": "b", "memory_bytes": 2097152, "input_bytes": 524288, "forward_ms": 3}]}}
                """.formatted(1 + random.nextInt(6), (2L + random.nextInt(3)) << 20);
        return ProfileReader.read(text.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }

    /** Layers as an attached process tells them. */
    public static PlanningProfile.Layers layers(int count) {
        List<LayerMeasurement> layers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            layers.add(
                    new LayerMeasurement("h." + i, 10_000_000, 20_000_000, 8 << 20, 1 << 20, 4_000_000, 4_000_000, 3));
        }
        long saved = (long) count * (8 << 20);
        return new PlanningProfile.Layers(
                new LayerProfile(layers, count * 31_000_000L, saved + (64 << 20), 1L << 30, 64 << 20, 2_000_000_000L));
    }
}
