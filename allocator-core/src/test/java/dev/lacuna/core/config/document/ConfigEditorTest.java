package dev.lacuna.core.config.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigEditorTest {
    private static final String FILE = """
            # training of a llama
            context:
              memory_optimize_level: "O0"   # swap needs it

            recompute_config:
              recompute: [1, 2]   # per stage
              select_recompute:
                # the cheap ones
                'feed_forward\\.mul': True
                'attention': [0, 1]
            swap_config:
              swap: True
              op_swap:
                - op_name: 'attention'
                  backward_prefetch: 20  # far
                  layers: [0, 3]
                - op_name: 'add'
                  backward_prefetch: 1
                  layers: True
            """;

    @Test
    void changes_a_number_and_nothing_else() throws Exception {
        ConfigPath path = ConfigPath.of("swap_config", "op_swap").child(0).child("backward_prefetch");
        assertThat(editor().set(path, ConfigValue.of(5)).text())
                .isEqualTo(FILE.replace("backward_prefetch: 20  # far", "backward_prefetch: 5  # far"));
    }

    @Test
    void changes_only_the_parts_that_differ() throws Exception {
        ConfigPath path = ConfigPath.of("swap_config", "op_swap");
        ConfigValue one = entries(
                Map.entry("op_name", ConfigValue.of("attention")),
                Map.entry("backward_prefetch", ConfigValue.of(20)),
                Map.entry("layers", numbers(0, 3, 4)));
        ConfigValue two = entries(
                Map.entry("op_name", ConfigValue.of("add")),
                Map.entry("backward_prefetch", ConfigValue.of(1)),
                Map.entry("layers", ConfigValue.of(true)));
        assertThat(editor().set(path, ConfigValue.of(List.of(one, two))).text())
                .isEqualTo(FILE.replace("layers: [0, 3]", "layers: [0, 3, 4]"));
    }

    @Test
    void replaces_a_flow_list_and_keeps_the_comment_behind_it() throws Exception {
        assertThat(editor().set(ConfigPath.of("recompute_config", "recompute"), ConfigValue.of(false))
                        .text())
                .isEqualTo(FILE.replace("recompute: [1, 2]   #", "recompute: False   #"));
    }

    @Test
    void moves_comments_inside_a_replaced_block_above_it() throws Exception {
        String changed = editor().set(ConfigPath.of("recompute_config", "select_recompute"), ConfigValue.of(true))
                .text();
        assertThat(changed).contains("# the cheap ones").contains("True");
        assertThat(ConfigReader.read(changed).at(ConfigPath.of("recompute_config", "select_recompute")))
                .contains(ConfigValue.of(true));
        assertThat(changed.lines().filter(line -> line.contains("#")).count())
                .isEqualTo(FILE.lines().filter(line -> line.contains("#")).count());
    }

    @Test
    void adds_a_missing_setting_at_the_end_of_its_section() throws Exception {
        ConfigPath path = ConfigPath.of("recompute_config", "select_recompute", "feed_forward\\.w1\\.matmul");
        assertThat(editor().set(path, numbers(1, 1)).text())
                .isEqualTo(FILE.replace(
                        "    'attention': [0, 1]\n",
                        "    'attention': [0, 1]\n    'feed_forward\\.w1\\.matmul': [1, 1]\n"));
    }

    @Test
    void adds_a_missing_section() throws Exception {
        ConfigValue entry = entries(Map.entry("backward_prefetch", ConfigValue.of(1)), Map.entry("layers", numbers(0)));
        String changed = new ConfigEditor(ConfigReader.read("a: 1 # one"))
                .set(ConfigPath.of("swap_config", "layer_swap"), ConfigValue.of(List.of(entry)))
                .text();
        assertThat(changed)
                .isEqualTo("a: 1 # one\nswap_config:\n  layer_swap:\n    - backward_prefetch: 1\n      layers: [0]\n");
    }

    @Test
    void removes_an_entry_and_keeps_its_neighbours() throws Exception {
        assertThat(editor().remove(ConfigPath.of("recompute_config", "select_recompute", "attention"))
                        .text())
                .isEqualTo(FILE.replace("    'attention': [0, 1]\n", ""));
        assertThat(editor().remove(ConfigPath.of("recompute_config", "recompute"))
                        .text())
                .isEqualTo(FILE.replace("  recompute: [1, 2]   # per stage\n", "  # per stage\n"));
    }

    @Test
    void edits_json_and_flow_style() throws Exception {
        ConfigDocument json = ConfigReader.read("{\"swap_config\": {\"swap\": true, \"op_swap\": []},\n\t\"x\": 1}");
        assertThat(new ConfigEditor(json)
                        .set(ConfigPath.of("swap_config", "layer_swap"), numbers())
                        .text())
                .isEqualTo("{\"swap_config\": {\"swap\": true, \"op_swap\": [], \"layer_swap\": []},\n\t\"x\": 1}");
        assertThat(new ConfigEditor(json)
                        .remove(ConfigPath.of("swap_config", "swap"))
                        .text())
                .isEqualTo("{\"swap_config\": {\"op_swap\": []},\n\t\"x\": 1}");
    }

    @Test
    void keeps_windows_line_ends_and_characters_beyond_the_basic_plane() throws Exception {
        String text = "a: 1 # \uD83D\uDE80\r\nb:\r\n  - x\r\n  - y # why\r\nc: [1]\r\n";
        assertThat(new ConfigEditor(ConfigReader.read(text))
                        .set(ConfigPath.of("c").child(0), ConfigValue.of(2))
                        .text())
                .isEqualTo(text.replace("[1]", "[2]"));
    }

    @Test
    void refuses_values_that_others_share() throws Exception {
        ConfigDocument file = ConfigReader.read("a: &a {x: 1}\nb: *a\nc:\n  <<: *a\n");
        assertThatThrownBy(() -> new ConfigEditor(file).set(ConfigPath.of("b", "x"), ConfigValue.of(2)))
                .isInstanceOf(ConfigEditException.class);
        assertThatThrownBy(() -> new ConfigEditor(file).set(ConfigPath.of("c", "x"), ConfigValue.of(2)))
                .isInstanceOf(ConfigEditException.class);
        assertThatThrownBy(
                        () -> new ConfigEditor(file).set(ConfigPath.of("a", "x").child(0), ConfigValue.of(2)))
                .isInstanceOf(ConfigEditException.class);
    }

    private static ConfigEditor editor() throws IOException {
        return new ConfigEditor(ConfigReader.read(FILE));
    }

    private static ConfigValue numbers(int... numbers) {
        return ConfigValue.of(
                java.util.Arrays.stream(numbers).mapToObj(ConfigValue::of).toList());
    }

    @SafeVarargs
    private static ConfigValue entries(Map.Entry<String, ConfigValue>... entries) {
        Map<String, ConfigValue> values = new LinkedHashMap<>();
        for (Map.Entry<String, ConfigValue> entry : entries) {
            values.put(entry.getKey(), entry.getValue());
        }
        return new ConfigValue.Entries(values);
    }
}
