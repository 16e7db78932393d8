package dev.lacuna.core.config.mindformers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LayerGridWriterTest {
    private static final String COUNTED = """
            # Llama on eight devices
            model_config:
              num_layers: 8   # of 32
            parallel_config: {pipeline_stage: 2}
            recompute_config:
              recompute: [1, 0]  # first stage only
              select_recompute:
                'feed_forward\\.mul': True   # cheap
                # the gate
                'feed_forward\\.w1\\.activation\\.silu': [2, 1]
              mp_comm_recompute: True
            """;
    private static final String SWAPPED = """
            model_config: {num_layers: 4}
            recompute_config:
              recompute: [0]
            swap_config:
              swap: True
              op_swap:
                # large and late
                - op_name: 'attention'
                  backward_prefetch: 20
                  layers: [1, 2]
                - op_name: 'mlp\\.experts'
                  backward_prefetch: 1
                  layers: True
            """;

    @Test
    void leaves_the_file_alone_while_nothing_is_changed() throws Exception {
        ConfigDocument file = ConfigReader.read(COUNTED);
        assertThat(new LayerGridWriter(file, Map.of()).write(grid(file)).text()).isEqualTo(COUNTED);
    }

    @Test
    void changes_only_the_setting_that_differs() throws Exception {
        ConfigDocument file = ConfigReader.read(COUNTED);
        LayerGrid wanted = grid(file).full(4, true);
        assertThat(saved(file, wanted)).isEqualTo(COUNTED.replace("[1, 0]  #", "[1, 1]  #"));
    }

    @Test
    void keeps_the_comments_of_the_patterns_beside_a_changed_one() throws Exception {
        ConfigDocument file = ConfigReader.read(COUNTED);
        LayerGrid wanted = grid(file).select(5, "feed_forward.w1.activation.silu", true);
        assertThat(saved(file, wanted)).isEqualTo(COUNTED.replace("[2, 1]", "[2, 2]"));
        assertThat(saved(file, grid(file).select(1, "add", true))).contains("# cheap", "# the gate", "add: [2, 0]");
    }

    @Test
    void excludes_an_operator_from_a_layer_that_is_recomputed_and_takes_it_back() throws Exception {
        ConfigDocument file = ConfigReader.read(COUNTED);
        String softmax = "attention.softmax";
        LayerGrid wanted = grid(file).exclude(0, softmax, true);
        ConfigDocument excluded = new LayerGridWriter(file, Map.of()).write(wanted);
        assertThat(excluded.text())
                .contains(
                        "select_recompute_exclude",
                        "'attention\\.softmax': [1, 0]",
                        "# first stage only",
                        "# the gate");
        assertThat(grid(excluded)).isEqualTo(wanted);
        assertThat(grid(excluded).exclude(0, softmax, false)).isEqualTo(grid(file));
        assertThat(grid(ConfigReader.read(saved(excluded, grid(file))))).isEqualTo(grid(file));
    }

    @Test
    void excludes_nothing_that_is_kept_and_nothing_while_swap_is_on() throws Exception {
        LayerGrid counted = grid(ConfigReader.read(COUNTED));
        assertThat(counted.exclude(7, "attention.softmax", true)).isEqualTo(counted);
        LayerGrid swapped = grid(ConfigReader.read(SWAPPED));
        assertThat(swapped.exclude(0, "attention.softmax", true)).isEqualTo(swapped);
    }

    @Test
    void names_the_layers_that_counting_cannot_leave_out() throws IOException {
        ConfigDocument file = ConfigReader.read(COUNTED);
        LayerGrid wanted = grid(file).full(3, true);
        assertThatThrownBy(() -> new LayerGridWriter(file, Map.of()).write(wanted))
                .isInstanceOfSatisfying(
                        InexpressibleGridException.class,
                        e -> assertThat(e.obstacles().get(0).cells())
                                .containsExactly(
                                        new InexpressibleGridException.Cell(1, ""),
                                        new InexpressibleGridException.Cell(2, "")));
    }

    @Test
    void says_any_layers_once_swap_is_on() throws Exception {
        ConfigDocument file = ConfigReader.read(COUNTED);
        LayerGrid wanted = grid(file).full(3, true).swapOn(true).select(6, "add", true);
        assertThat(saved(file, wanted)).contains("recompute: [0, 3]", "swap: True", "# the gate");
    }

    @Test
    void keeps_swaps_of_operators_that_this_layer_does_not_have() throws Exception {
        ConfigDocument file = ConfigReader.read(SWAPPED);
        LayerGrid wanted = grid(file).swap(3, "add", Optional.of("2"));
        assertThat(saved(file, wanted)).contains("mlp\\.experts", "# large and late", "attention");
    }

    @Test
    void splits_a_pattern_when_its_operators_part() throws Exception {
        ConfigDocument file = ConfigReader.read(SWAPPED);
        LayerGrid wanted = grid(file).swap(1, "attention.softmax", Optional.empty());
        assertThat(saved(file, wanted)).contains("attention\\.flash_attention", "attention\\.wq\\.matmul");
    }

    @Test
    void gives_up_the_standard_swap_only_by_saying_so() throws Exception {
        ConfigDocument file = ConfigReader.read("model_config: {num_layers: 4}\nswap_config: {swap: True}\n");
        LayerGrid wanted = grid(file).layerSwap(2, Optional.of("3"));
        saved(file, wanted);
    }

    @Test
    void writes_into_json_too() throws Exception {
        ConfigDocument file = ConfigReader.read(
                "{\"config\": {\"model_config\": {\"num_layers\": 4}, \"recompute_config\": {\"recompute\": false}}}");
        assertThat(saved(file, grid(file).full(0, true).select(1, "add", true).select(0, "add", true)))
                .contains("\"recompute\": [1]", "\"add\": [2]");
    }

    @Test
    void reads_back_what_it_wrote_or_refuses_whatever_is_clicked() throws Exception {
        Random clicks = new Random(7);
        int written = 0;
        for (int round = 0; round < 300; round++) {
            ConfigDocument file = ConfigReader.read(round % 2 == 0 ? COUNTED : SWAPPED);
            LayerGrid wanted = grid(file);
            for (int i = clicks.nextInt(6); i >= 0; i--) {
                wanted = click(wanted, clicks);
            }
            try {
                saved(file, wanted);
                written++;
            } catch (InexpressibleGridException e) {
                assertThat(wanted.swapOn()).isFalse();
                assertThat(e.obstacles()).isNotEmpty();
            }
        }
        assertThat(written).isGreaterThan(150);
    }

    private static LayerGrid click(LayerGrid grid, Random clicks) {
        int layer = clicks.nextInt(grid.rows().size());
        List<String> operators = LayerGrid.operators();
        String operator = operators.get(clicks.nextInt(operators.size()));
        Optional<String> prefetch =
                Optional.of(List.of("1", "20", "Auto").get(clicks.nextInt(3))).filter(p -> clicks.nextBoolean());
        return switch (clicks.nextInt(5)) {
            case 0 -> grid.full(layer, clicks.nextBoolean());
            case 1 -> grid.select(layer, operator, clicks.nextBoolean());
            case 2 -> grid.communication(layer, operator, clicks.nextBoolean());
            case 3 -> grid.swapOn() ? grid.swap(layer, operator, prefetch) : grid;
            default -> grid.swapOn() ? grid.layerSwap(layer, prefetch) : grid;
        };
    }

    /** What was written, after making sure that it reads as the grid. */
    private static String saved(ConfigDocument file, LayerGrid wanted) throws Exception {
        String text = new LayerGridWriter(file, Map.of()).write(wanted).text();
        assertThat(grid(ConfigReader.read(text))).as(text).isEqualTo(wanted);
        return text;
    }

    private static LayerGrid grid(ConfigDocument file) {
        return LayerGrid.of((MindformersResult.Valid) new Mindformers(Map.of()).analyse(file));
    }
}
