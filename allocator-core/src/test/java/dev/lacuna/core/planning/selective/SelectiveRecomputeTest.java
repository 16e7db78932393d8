package dev.lacuna.core.planning.selective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.planning.selective.SelectiveChoice.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The framework's own cases: facts on MindSpeed, 2.12. */
class SelectiveRecomputeTest {
    private static final String NORMS = "input_layernorm+attention.triangle_attn+post_attention_layernorm";

    static LayerModule layer() {
        return new LayerModule(
                "layer",
                3312,
                64,
                100.17907619476318,
                List.of(
                        module("input_layernorm", 384, 64, 1.9710063934326172),
                        new LayerModule(
                                "attention",
                                1792,
                                80,
                                50.97508430480957,
                                List.of(
                                        module("attention.query_key_value", 192, 64, 9.331226348876953),
                                        module("attention.rotary_emb", 0, 64, 1.7354488372802734),
                                        module("attention.triangle_attn", 1664, 208, 22.87912368774414),
                                        module("attention.dense", 64, 64, 8.333802223205566))),
                        module("post_attention_layernorm", 384, 64, 1.8906593322753906),
                        new LayerModule(
                                "mlp",
                                752,
                                64,
                                38.39600086212158,
                                List.of(
                                        module("mlp.gate_proj", 172, 64, 9.36591625213623),
                                        module("mlp.up_proj", 172, 64, 8.879423141479492),
                                        module("mlp.down_proj", 64, 172, 13.797521591186523)))));
    }

    private static LayerModule module(String name, double memory, double input, double time) {
        return new LayerModule(name, memory, input, time, List.of());
    }

    static SelectiveStage stage(int layers, int inFlight) {
        return new SelectiveStage(layer(), layers, inFlight, 16_600);
    }

    private static Map<String, Integer> reported(SelectivePlan plan) {
        return plan.counts().entrySet().stream()
                .collect(Collectors.toMap(
                        each -> each.getKey().kind() == Kind.SELECTIVE
                                ? String.join("+", each.getKey().modules())
                                : each.getKey().kind().name(),
                        Map.Entry::getValue));
    }

    private static Map<String, Integer> wanted(String text) {
        return Stream.of(text.split(" \\| "))
                .map(part -> part.split(" ", 2))
                .collect(Collectors.toMap(part -> part[1].replace("NORMS", NORMS), part -> Integer.valueOf(part[0])));
    }

    @ParameterizedTest
    @CsvSource({
        "10, 2, 52, 2 NONE | 8 NORMS",
        "10, 2, 54, 3 NONE | 7 NORMS",
        "10, 1, 52, 10 NONE",
        "10, 1, 54, 10 NONE",
        "32, 2, 52, 12 FULL | 20 NORMS+mlp.up_proj",
        "32, 2, 54, 7 FULL | 25 input_layernorm+attention.query_key_value+attention.triangle_attn"
                + "+post_attention_layernorm+mlp.up_proj",
        "32, 1, 52, 3 NONE | 28 NORMS+mlp.up_proj | 1 attention.triangle_attn+post_attention_layernorm",
        "32, 1, 54, 4 NONE | 28 NORMS+mlp.up_proj",
    })
    void chooses_what_the_framework_chooses(int layers, int inFlight, int deviceGib, String wanted) {
        SelectivePlan plan = new SelectiveRecompute(stage(layers, inFlight)).solve(deviceGib * 1024.0);
        assertThat(reported(plan)).isEqualTo(wanted(wanted));
    }

    @Test
    void says_it_in_the_words_of_the_framework() {
        assertThat(new SelectiveRecompute(stage(10, 2)).solve(52 * 1024).lines())
                .containsExactly(
                        "Without recompute: total mem cost: 16.2 GiB + 32.3 GiB, total recompute 0, speed up over all recompute 25%",
                        "With all recompute: total mem cost: 16.2 GiB + 0.6 GiB, total recompute all",
                        "With selective recompute:",
                        "2 n_without; recomputeNodes=[input_layernorm, attention.triangle_attn, post_attention_layernorm], 8 n_selective",
                        "total mem cost: 16.2 GiB + 33.9 GiB, speed up compared with all recompute 19.66%",
                        ">> final selective strategy <<",
                        "2 n_without",
                        "recomputeNodes=[input_layernorm, attention.triangle_attn, post_attention_layernorm], 8 n_selective");
    }

    @Test
    void leaves_out_sets_that_mean_something_else() {
        List<List<String>> sets = new SelectiveChoices(layer())
                .all().stream().map(SelectiveChoice::modules).toList();
        assertThat(sets).doesNotContain(List.of("attention", "attention.dense"));
        assertThat(sets)
                .doesNotContain(List.of("input_layernorm", "attention", "post_attention_layernorm", "mlp"))
                .contains(List.of("attention", "mlp"));
        assertThat(sets).noneMatch(set -> set.contains("mlp.down_proj") || set.contains("attention.rotary_emb"));
    }

    @Test
    void does_not_count_what_layers_keep_that_it_recomputes_whole() {
        SelectivePlan plan = new SelectiveRecompute(stage(32, 2)).solve(52 * 1024);
        assertThat(plan.deviceMb()).isGreaterThan(52 * 1024);
    }

    @Test
    void recomputes_everything_where_nothing_fits() {
        assertThat(reported(new SelectiveRecompute(stage(4, 1)).solve(16_600))).isEqualTo(Map.of("FULL", 4));
    }
}
