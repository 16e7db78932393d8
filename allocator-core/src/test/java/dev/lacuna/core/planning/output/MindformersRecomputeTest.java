package dev.lacuna.core.planning.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersResult;
import dev.lacuna.core.config.mindformers.layer.LayerState;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MindformersRecomputeTest {
    private static final LayerAction[] ACTIONS = LayerAction.values();

    private static ConfigDocument file(int layers, int stages, int interleaves, String more) throws Exception {
        return ConfigReader.read("""
                # kept
                model_config:
                  num_layers: %d   # all of them
                  offset: 0
                parallel_config: {pipeline_stage: %d, pp_interleave_num: %d}
                recompute_config:
                  recompute: False  # to be planned
                %s""".formatted(layers, stages, interleaves, more));
    }

    /** What the framework makes of a file. */
    private static LayerPolicy read(ConfigDocument file) {
        MindformersResult.Valid valid = (MindformersResult.Valid) new Mindformers(Map.of()).analyse(file);
        return new LayerPolicy(
                valid.grid().stream().map(MindformersRecomputeTest::action).toList());
    }

    private static LayerAction action(LayerState row) {
        if (row.fullRecompute()) {
            return LayerAction.RECOMPUTE;
        }
        return row.layerSwap().isPresent() ? LayerAction.SWAP : LayerAction.KEEP;
    }

    private static LayerPolicy random(Random random, int layers, int kinds) {
        List<LayerAction> actions = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            int kind = random.nextInt(kinds);
            actions.add(kind == 1 ? LayerAction.RECOMPUTE : ACTIONS[kind == 2 ? 1 : 0]);
        }
        return new LayerPolicy(actions);
    }

    @Test
    void the_framework_reads_just_the_layers_that_were_written() throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 60; i++) {
            int stages = 1 + random.nextInt(3);
            int interleaves = 1 + random.nextInt(2);
            int layers = stages * interleaves * (1 + random.nextInt(3));
            LayerPolicy policy = random(random, layers, 2);
            MindformersRecompute.Written written =
                    MindformersRecompute.write(file(layers, stages, interleaves, ""), policy);
            assertThat(read(written.file())).isEqualTo(written.policy());
            assertThat(written.policy().count(LayerAction.RECOMPUTE)).isEqualTo(policy.count(LayerAction.RECOMPUTE));
            assertThat(written.moved()).isEqualTo(!written.policy().equals(policy));
            assertThat(written.file().text()).contains("# kept", "# all of them", "# to be planned");
        }
    }

    @Test
    void with_swap_any_layer_can_be_named() throws Exception {
        Random random = new Random(6);
        for (int i = 0; i < 60; i++) {
            LayerPolicy policy = random(random, 8, 3);
            MindformersRecompute.Written written =
                    MindformersRecompute.write(file(8, 2, 1, "swap_config: {swap: True, layer_swap: []}\n"), policy);
            assertThat(read(written.file())).isEqualTo(policy);
            assertThat(written.moved()).isFalse();
        }
    }

    private static final String SWAPPING = """
              select_recompute: {'feed_forward\\.mul': [0, 3]}
              select_comm_recompute: [1]
            swap_config:
              swap: True  # until now
              %s
            """;

    /** Whatever the file itself swapped and recomputed before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "default_prefetch: 2",
                "layer_swap: [{backward_prefetch: 1, layers: True}]",
                "layer_swap: [{backward_prefetch: 3, layers: [0, 5]}]",
                "op_swap: [{op_name: attention, backward_prefetch: 1, layers: [1, 2]}]"
            })
    void a_file_with_swap_on_does_just_what_the_plan_says(String swapped) throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 30; i++) {
            LayerPolicy policy = random(random, 8, i % 2 == 0 ? 2 : 3);
            MindformersRecompute.Written written =
                    MindformersRecompute.write(file(8, 2, 1, SWAPPING.formatted(swapped)), policy);
            MindformersResult.Valid valid = (MindformersResult.Valid) new Mindformers(Map.of()).analyse(written.file());
            assertThat(written.policy()).isEqualTo(policy);
            assertThat(read(written.file())).isEqualTo(policy);
            assertThat(valid.grid()).allSatisfy(MindformersRecomputeTest::operators_do_as_their_layer_does);
            assertThat(valid.frameworkWarnings()).isEmpty();
            assertThat(written.file().text()).contains("# kept", "# all of them", "# to be planned", "# until now");
        }
    }

    private static void operators_do_as_their_layer_does(LayerState row) {
        OperatorState.Recompute recompute =
                row.fullRecompute() ? OperatorState.Recompute.FULL : OperatorState.Recompute.NONE;
        assertThat(row.operators()).allSatisfy(operator -> {
            assertThat(operator.recompute()).isEqualTo(recompute);
            assertThat(operator.commRecompute()).isFalse();
            assertThat(operator.prefetch()).isEqualTo(row.layerSwap());
        });
    }

    @Test
    void a_plan_that_swaps_nothing_turns_swap_off_where_counts_can_say_it() throws Exception {
        ConfigDocument file = file(8, 2, 1, SWAPPING.formatted("layer_swap: [{backward_prefetch: 1, layers: [0]}]"));
        assertThat(MindformersRecompute.write(file, LayerPolicy.parse("RRKKRKKK"))
                        .file()
                        .text())
                .contains("swap: False  # until now", "recompute: [2, 1]  # to be planned");
        assertThat(MindformersRecompute.write(file, LayerPolicy.parse("KKKKKRRK"))
                        .file()
                        .text())
                .contains("swap: True  # until now", "recompute: [5, 6]  # to be planned", "layer_swap: []");
    }

    @Test
    void a_file_for_another_number_of_layers_is_refused() throws Exception {
        ConfigDocument file = file(8, 2, 1, "");
        assertThatThrownBy(() -> MindformersRecompute.write(file, LayerPolicy.parse("RK")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("2")
                .hasMessageContaining("8");
    }

    @Test
    void what_is_swapped_comes_back_as_early_as_it_is_told() throws Exception {
        LayerPolicy policy = LayerPolicy.parse("SKRSKKKK");
        MindformersRecompute.Written written = MindformersRecompute.write(
                file(8, 2, 1, "swap_config: {swap: True, layer_swap: []}\n"),
                policy,
                choice -> true,
                List.of(7, 1, 1, 3, 1, 1, 1, 1));
        MindformersResult.Valid valid = (MindformersResult.Valid) new Mindformers(Map.of()).analyse(written.file());
        assertThat(valid.grid().get(0).layerSwap()).contains("7");
        assertThat(valid.grid().get(3).layerSwap()).contains("3");
        assertThat(valid.grid().get(1).layerSwap()).isEmpty();
    }
}
