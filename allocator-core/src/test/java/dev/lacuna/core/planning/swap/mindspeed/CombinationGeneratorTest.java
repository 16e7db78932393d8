package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.swap.mindspeed.CombinationGenerator.Filter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Golden lists of facts, section 2.4. */
final class CombinationGeneratorTest {
    private final CombinationGenerator generator = new CombinationGenerator();

    @Test
    void combines_unequal_siblings_freely() {
        ModuleProfile layer = layer(module("A", 50, 4, 40, 3, true), module("B", 60, 6, 44, 7, false));

        assertThat(generator.generate(layer).stream().map(CombinationGeneratorTest::line))
                .containsExactly("0||-68|10", "||0|0", "|A|-40|0", "|A,B|-84|7", "|B|-44|7", "B|A|-68|6", "B||-28|6");
    }

    @Test
    void offers_only_prefixes_of_equal_siblings() {
        ModuleProfile layer = layer(module("A", 50, 4, 40, 3, false), module("B", 50, 6, 44, 7, false));

        assertThat(generator.generate(layer).stream().map(CombinationGeneratorTest::line))
                .containsExactly(
                        "0||-68|10",
                        "||0|0",
                        "0|A|-108|13",
                        "|A|-40|3",
                        "0,A||-86|14",
                        "A||-18|4",
                        "0|A,B|-152|20",
                        "|A,B|-84|10",
                        "0,A|B|-130|21",
                        "A|B|-62|11",
                        "0,B|A|-126|19",
                        "B|A|-58|9",
                        "0,A,B||-104|20",
                        "A,B||-36|10");
    }

    @Test
    void the_lossless_selection_filters_adaptive_combinations() {
        ModuleProfile layer = layer(module("A", 50, 4, 40, 3, true), module("B", 60, 6, 44, 7, false));

        assertThat(generator.candidates(layer, Filter.EXACT).stream().map(CombinationGeneratorTest::line))
                .containsExactly("0||32|10", "||100|0", "|A|60|0", "B|A|32|6");
        assertThat(generator.candidates(layer, Filter.SUBSET).stream().map(CombinationGeneratorTest::line))
                .containsExactly("0||32|10", "||100|0", "|A|60|0", "B|A|32|6", "B||72|6");
    }

    /** A mixture of four experts: the shape that the framework's own test has, and the count that it gives. */
    @Test
    void a_mixture_of_experts_has_29113_combinations_and_each_once() {
        ModuleProfile layer = mixtureOfExperts();

        List<LayerCombination> all = generator.generate(layer);

        assertThat(layer.adaptable()).hasSize(27);
        assertThat(all).hasSize(29_113);
        assertThat(new HashSet<>(all.stream()
                        .map(each -> each.recompute().stream().sorted().toList() + ";"
                                + each.swap().stream().sorted().toList())
                        .toList()))
                .hasSize(29_113);
    }

    private static ModuleProfile mixtureOfExperts() {
        ModuleProfile attention = node(
                "attention",
                112,
                true,
                node("qkv", 40, true),
                silent("core", silent("softmax"), silent("dropout")),
                node("flash", 72, true),
                node("dense", 32, true));
        List<ModuleProfile> experts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "expert" + i;
            experts.add(node(
                    name,
                    141,
                    i < 3,
                    node(name + ".w1", 34, true),
                    node(name + ".w2", 34, true),
                    node(name + ".w3", 34, true)));
        }
        ModuleProfile pool = silent("list", experts.toArray(ModuleProfile[]::new));
        ModuleProfile moe =
                node("moe", 672, false, node("gate", 101, true, silent("weight")), node("experts", 599, false, pool));
        ModuleProfile mlp = node("mlp", 672, false, node("block", 672, false, moe));
        return node("0", 800, false, node("norm", 32, true), attention, node("post_norm", 32, true), mlp);
    }

    private static ModuleProfile node(String name, double memoryMb, boolean lossless, ModuleProfile... children) {
        ModuleProfile.Cost cost = new ModuleProfile.Cost(memoryMb, 16, 16, 1, Optional.empty());
        return new ModuleProfile(name, Optional.of(cost), lossless, List.of(children));
    }

    private static ModuleProfile silent(String name, ModuleProfile... children) {
        return new ModuleProfile(name, Optional.empty(), true, List.of(children));
    }

    private static ModuleProfile layer(ModuleProfile... children) {
        ModuleProfile.Cost cost = new ModuleProfile.Cost(100, 16, 16, 10, Optional.empty());
        return new ModuleProfile("0", Optional.of(cost), false, List.of(children));
    }

    private static ModuleProfile module(
            String name, double memoryMb, double timeMs, double swapMb, double swapMs, boolean lossless) {
        ModuleProfile.Cost cost =
                new ModuleProfile.Cost(memoryMb, 16, 16, timeMs, Optional.of(new ModuleProfile.Swap(swapMb, swapMs)));
        return new ModuleProfile(name, Optional.of(cost), lossless, List.of());
    }

    private static String line(LayerCombination each) {
        return String.format(
                Locale.ROOT,
                "%s|%s|%.0f|%.0f",
                String.join(",", each.recompute().stream().sorted().toList()),
                String.join(",", each.swap().stream().sorted().toList()),
                each.memoryMb(),
                each.timeMs());
    }
}
