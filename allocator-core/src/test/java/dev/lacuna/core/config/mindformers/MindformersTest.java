package dev.lacuna.core.config.mindformers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.config.mindformers.layer.OperatorState;
import dev.lacuna.core.config.mindformers.setting.Note;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MindformersTest {
    /** Recorded from the framework's own normalisation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8|0|2|1|False|[[0,0]]",
                "8|0|2|1|True|[[4,4]]",
                "8|0|2|1|[3, True]|[[3,4]]",
                "8|0|2|1|[9, 1]|[[4,1]]",
                "8|0|2|1|[1]|[[1,0]]",
                "8|0|2|1|[]|[[0,0]]",
                "8|0|2|2|[3, 1]|[[2,1],[1,0]]",
                "10|[[1,0],[1,0]]|2|2|[5, 1]|[[3,1],[2,0]]",
                "10|[[1,0],[1,0]]|2|2|[[9, True], [False, 1]]|[[3,2],[0,1]]",
                "10|[[1,0],[1,0]]|2|2|[True, [1, 1]]|[[3,2],[1,1]]",
                "10|[[1,0],[1,0]]|2|2|[True, False]|[[3,0],[3,0]]"
            })
    void counts_layers_as_the_framework_does(
            int layers, String offset, int stages, int interleaves, String recompute, String expected)
            throws IOException {
        JsonNode result =
                analyse(layers, offset, stages, interleaves, "recompute_config: {recompute: " + recompute + "}");
        assertThat(result.get("layer_recompute")).hasToString(expected);
    }

    /** LayerSetting gives the slicing to all layers or none, and what is about communication to layers recomputed in full. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "recompute: True, recompute_slice_activation: True, parallel_optimizer_comm_recompute: True|",
                "recompute: [2, 0], recompute_slice_activation: True|recompute_slice_activation",
                "recompute: False, recompute_slice_activation: True|recompute_slice_activation",
                "recompute: [2, 0], parallel_optimizer_comm_recompute: True, mp_comm_recompute: False|",
                "recompute: False, parallel_optimizer_comm_recompute: True|parallel_optimizer_comm_recompute",
                "recompute: [0, 0], mp_comm_recompute: False|mp_comm_recompute",
                "recompute: False, parallel_optimizer_comm_recompute: False, mp_comm_recompute: True|"
            })
    void notes_switches_that_reach_no_layer(String settings, String named) throws IOException {
        JsonNode result = analyse(8, "0", 2, 1, "recompute_config: {" + settings + "}");
        List<String> keys = new ArrayList<>();
        result.get("notes").forEach(note -> {
            if (note.get("kind").asText().equals("without-effect")) {
                keys.add(note.get("key").asText());
            }
        });
        assertThat(keys).isEqualTo(named == null ? List.of() : List.of("recompute_config." + named));
        assertThat(result.get("warnings")).isEmpty();
    }

    /** LayerSetting writes into a nested list that the default patterns share. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4|2|1|select_recompute|[[5, 1]]|[0][0]",
                "4|2|1|select_recompute|[[1, True]]|[0][1]",
                "8|2|2|select_recompute|[[1, 1], True]|[1]",
                "8|2|2|select_recompute|[False, [1, 1]]|[0]"
            })
    void a_nested_list_shared_by_patterns_is_refused_where_the_first_changes_it(
            int layers, int stages, int interleaves, String setting, String value, String part) throws IOException {
        JsonNode result =
                analyse(layers, "0", stages, interleaves, "recompute_config: {%s: %s}".formatted(setting, value));
        assertThat(result.get("valid").asBoolean()).isFalse();
        assertThat(result.get("error").asText())
                .startsWith("recompute_config." + setting + part + " (line ")
                .contains("write it per pattern");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "recompute_config: {select_recompute: [[2, 1]]}",
                "recompute_config: {select_recompute: [[False, 1]]}",
                "recompute_config: {select_recompute: [9, True]}",
                "recompute_config: {select_comm_recompute: [[5, True]]}",
                "recompute_config: {recompute: [[5, True]]}",
                "recompute_config: {select_recompute: {add: [[5, 1]], 'feed_forward\\.mul': [[True, 1]]}}",
                "swap_config: {swap: False, layer_swap: [{backward_prefetch: 1, layers: [[1]]}]}",
                "swap_config: {swap: False, op_swap: [{op_name: add, backward_prefetch: 1, layers: [[1], [2, 3]]}]}"
            })
    void takes_what_the_framework_takes(String settings) throws IOException {
        assertThat(analyse(4, "0", 2, 1, settings).get("error").isNull()).isTrue();
    }

    @Test
    void tells_keys_given_twice_apart_from_the_frameworks_warnings() throws IOException {
        MindformersResult.Valid valid =
                (MindformersResult.Valid) new Mindformers(Map.of()).analyse(ConfigReader.read("""
                        model_config: {num_layers: 4, num_layers: 8}
                        recompute_config:
                          recompute: True
                          mp_comm_recompute: False
                          recompute: False
                        """));
        assertThat(valid.layers().layers()).isEqualTo(8);
        assertThat(valid.frameworkWarnings()).isEmpty();
        assertThat(valid.notes())
                .extracting(note -> note.path() + " " + note.message().text(Locale.ROOT))
                .anyMatch(text -> text.contains("model_config.num_layers") && text.contains("lines 1, 1"))
                .anyMatch(text -> text.contains("recompute_config.recompute") && text.contains("lines 3, 5"));
    }

    @Test
    void distributes_deepseek_over_sixteen_stages() throws IOException {
        JsonNode result = analyse(
                61,
                "[-1" + ", 0".repeat(14) + ", 14]",
                16,
                1,
                "recompute_config: {recompute: [2" + ", 3".repeat(13) + ", 2, 0]}");
        assertThat(result.get("layer_list")).hasToString("[[2" + ",3".repeat(14) + ",17]]");
        assertThat(result.get("layer_recompute")).hasToString("[[2" + ",3".repeat(13) + ",2,0]]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10|[1, 1]|2|2|recompute_config: {}|model_config.offset",
                "10|[1, 1]|3|1|recompute_config: {}|model_config.offset",
                "10|3|2|1|recompute_config: {}|model_config.offset",
                "4|[-3, 3]|2|1|recompute_config: {}|model_config.offset",
                "4|0|2|1|recompute_config: {recompute: [1, -1]}|recompute_config.recompute[1]",
                "4|0|2|1|recompute_config: {recompute: [1, 1, 1]}|recompute_config.recompute",
                "4|0|2|1|recompute_config: {recompute: [[1, 1, 1]]}|recompute_config.recompute[0]",
                "4|0|2|1|recompute_config: {recompute: [[1]]}|recompute_config.recompute",
                "4|0|2|1|recompute_config: {recompute: x}|recompute_config.recompute",
                "4|0|2|1|recompute_config: {select_recompute: {'(': True}}|recompute_config.select_recompute.(",
                "4|0|2|1|recompute_config: {select_comm_recompute: ['attention\\..*']}|recompute_config.select_comm_recompute.attention\\..*",
                "4|0|2|1|swap_config: {swap: 1}|swap_config.swap",
                "4|0|2|1|swap_config: {swap: True, layer_swap: [{layers: [1]}]}|swap_config.layer_swap[0]",
                "4|0|2|1|swap_config: {swap: True, layer_swap: [{backward_prefetch: 1, layers: [[3]]}]}|swap_config.layer_swap[0].layers",
                "4|0|2|1|swap_config: {swap: True, op_swap: [{op_name: 3, layers: [1]}]}|swap_config.op_swap[0].op_name",
                "4|0|2|1|{swap_config: {swap: True}, recompute_config: {recompute: [[1]]}}|recompute_config.recompute",
                "4|0|2|1|{swap_config: {swap: True}, recompute_config: {select_recompute: {add: False}}}|recompute_config.select_recompute.add"
            })
    void says_which_key_is_invalid(int layers, String offset, int stages, int interleaves, String settings, String key)
            throws IOException {
        JsonNode result = analyse(layers, offset, stages, interleaves, settings);
        assertThat(result.get("valid").asBoolean()).isFalse();
        assertThat(result.get("error").asText()).startsWith(key + " (line ");
    }

    @Test
    void refuses_patterns_that_never_end() throws IOException {
        JsonNode result =
                analyse(4, "0", 2, 1, "recompute_config: {select_recompute: {'" + "(.*)*".repeat(30) + "x': True}}");
        assertThat(result.get("error").asText()).contains("steps");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "recompute_config: {select_recompute: {'w1(': false}}",
                "recompute_config: {select_comm_recompute: {'w1(': [0]}}",
                "recompute_config: {recompute: true, select_recompute: ['w1(']}",
                "recompute_config: {select_recompute: {'\\.(.*.*)*x': false, 'w1(': false}}"
            })
    void refuses_what_is_no_pattern_even_where_it_selects_no_layer(String settings) throws IOException {
        JsonNode result = analyse(4, "0", 2, 1, settings);
        assertThat(result.get("valid").asBoolean()).isFalse();
        assertThat(result.get("error").asText()).contains("w1(", "line 3");
    }

    @Test
    void refuses_what_is_no_pattern_of_swapped_operators() throws IOException {
        JsonNode result = analyse(
                4, "0", 2, 1, "swap_config: {swap: true, op_swap: {op_name: 'w1(', backward_prefetch: 1, layers: []}}");
        assertThat(result.get("error").asText()).contains("w1(", "op_swap");
    }

    @ParameterizedTest
    @ValueSource(strings = {"select_recompute", "select_comm_recompute_exclude"})
    void refuses_more_patterns_than_any_layer_has_operators(String setting) throws IOException {
        String patterns = String.join(", ", Collections.nCopies(101, "'.*'"));
        assertThat(analyse(4, "0", 2, 1, "recompute_config: {" + setting + ": [" + patterns + "]}")
                        .get("error")
                        .asText())
                .contains(setting, "101", "at most 100");
    }

    @Test
    void refuses_more_swap_entries_than_layers_can_tell_apart() throws IOException {
        String entries = String.join(", ", Collections.nCopies(201, "{backward_prefetch: 1, layers: [3]}"));
        assertThat(analyse(10_000, "0", 2, 1, "swap_config: {swap: true, layer_swap: [" + entries + "]}")
                        .get("error")
                        .asText())
                .contains("layer_swap", "201", "at most 200");
    }

    @Test
    void takes_an_excluded_pattern_out_for_all_layers() throws IOException {
        JsonNode result = analyse(
                4,
                "0",
                2,
                1,
                "recompute_config: {select_recompute: ['feed_forward\\.mul'], select_recompute_exclude: {'feed_forward\\..*': True}}");
        assertThat(result.get("select_recompute")).isEmpty();
        assertThat(result.get("notes").toString()).contains("removed for all layers");
    }

    @Test
    void names_what_is_void_and_what_is_missing() throws IOException {
        MindformersResult.Valid result = valid("""
                recompute_config: {recompute: [0], select_recompute: {'feed_forward\\.mul': [1]}}
                swap_config: {swap: True, op_swap: [{op_name: feed_forward, backward_prefetch: 3, layers: True}]}
                """);
        assertThat(fate(result, 0, "feed_forward.mul")).isEqualTo(OperatorState.SwapFate.RECOMPUTED);
        assertThat(fate(result, 1, "feed_forward.mul")).isEqualTo(OperatorState.SwapFate.RECOMPUTED);
        assertThat(fate(result, 1, "feed_forward.w3.matmul")).isEqualTo(OperatorState.SwapFate.CONSUMER_RECOMPUTED);
        assertThat(fate(result, 1, "feed_forward.w2.matmul")).isEqualTo(OperatorState.SwapFate.SWAPPED);
        assertThat(result.notes()).extracting(Note::kind).contains(Note.Kind.CONFLICT, Note.Kind.ENVIRONMENT);
        assertThat(result.environmentWarnings()).isEmpty();
    }

    @Test
    void warns_when_the_file_contradicts_what_swap_needs() throws IOException {
        MindformersResult.Valid wrong = valid("context: {memory_optimize_level: O1}\nswap_config: {swap: True}\n");
        assertThat(wrong.environmentWarnings()).hasSize(1);
        MindformersResult.Valid right = valid("context: {memory_optimize_level: O0}\nswap_config: {swap: True}\n");
        assertThat(right.environmentWarnings()).isEmpty();
        assertThat(right.notes()).isEmpty();
    }

    @Test
    void interleaves_only_where_the_parallel_context_does() throws IOException {
        JsonNode off = analyse(8, "0", 2, 2, "parallel: {parallel_mode: 1}");
        assertThat(off.get("layer_list")).hasToString("[[4,4]]");
        assertThat(off.get("notes").toString()).contains("pipeline_interleave");
        JsonNode on = analyse(8, "0", 2, 2, "parallel: {pipeline_config: {pipeline_interleave: True}}");
        assertThat(on.get("layer_list")).hasToString("[[2,2],[2,2]]");
    }

    @Test
    void has_every_text_in_both_languages() {
        ResourceBundle english = ResourceBundle.getBundle("dev.lacuna.core.config.mindformers.messages", Locale.ROOT);
        ResourceBundle chinese =
                ResourceBundle.getBundle("dev.lacuna.core.config.mindformers.messages", Locale.SIMPLIFIED_CHINESE);
        for (String key : english.keySet()) {
            assertThat(chinese.getString(key)).as(key).isNotEqualTo(english.getString(key));
        }
    }

    private static OperatorState.SwapFate fate(MindformersResult.Valid result, int layer, String operator) {
        return result.grid().get(layer).operators().stream()
                .filter(state -> state.operator().equals(operator))
                .findFirst()
                .orElseThrow()
                .fate();
    }

    private static MindformersResult.Valid valid(String settings) throws IOException {
        String text = "model_config: {num_layers: 2}\n" + settings;
        return (MindformersResult.Valid)
                new Mindformers(Map.of("ENABLE_LAZY_INLINE_NO_PIPELINE", "1")).analyse(ConfigReader.read(text));
    }

    private static JsonNode analyse(int layers, String offset, int stages, int interleaves, String settings)
            throws IOException {
        String sections = settings.startsWith("{")
                ? settings.substring(1, settings.length() - 1).replace("}, r", "}\nr")
                : settings;
        String text =
                "model_config: {num_layers: %d, offset: %s}%nparallel_config: {pipeline_stage: %d, pp_interleave_num: %d}%n%s%n"
                        .formatted(layers, offset, stages, interleaves, sections);
        MindformersResult result = new Mindformers(Map.of()).analyse(ConfigReader.read(text));
        return MindformersJson.of(result, Locale.ROOT);
    }

    /** Which layers, and only where there is somebody to communicate with. */
    @Test
    void says_where_switches_of_communication_act() throws IOException {
        String settings =
                "recompute_config: {recompute: [1], mp_comm_recompute: False, parallel_optimizer_comm_recompute: True}\n";
        MindformersResult.Valid alone = valid(settings);
        MindformersResult.Valid split = valid(settings + "parallel_config: {pipeline_stage: 2, model_parallel: 4}\n");
        assertThat(effects(alone)).hasSize(2);
        assertThat(effects(split)).anyMatch(text -> text.contains("the 4 model-parallel devices"));
        assertThat(effects(split)).allMatch(text -> text.contains("layers 0"));
        assertThat(effects(valid("recompute_config: {recompute: False, mp_comm_recompute: False}\n")))
                .isEmpty();
    }

    private static List<String> effects(MindformersResult.Valid result) {
        return result.notes().stream()
                .filter(note -> note.kind() == Note.Kind.EFFECT)
                .map(note -> note.message().text(Locale.ROOT))
                .toList();
    }

    @Test
    void says_what_swap_is_not_for() throws IOException {
        String swap = "swap_config: {swap: True}\n";
        for (String outside : List.of(
                "context: {mode: 1}\n",
                "context: {device_target: GPU}\n",
                "context: {jit_config: {jit_level: O2}}\n",
                "model: {arch: {type: GLM2ForConditionalGeneration}}\n")) {
            assertThat(valid(swap + outside).notes().size())
                    .isEqualTo(valid(swap).notes().size() + 1);
        }
        assertThat(valid(swap + "context: {mode: 0, device_target: Ascend}\nmodel: {arch: {type: LlamaForCausalLM}}\n")
                        .notes())
                .hasSameSizeAs(valid(swap).notes());
    }

    @Test
    void prints_the_settings_as_the_framework_logs_them() throws IOException {
        JsonNode result = analyse(
                48,
                "[[0,1,1,1,1],[1,1,1,1,0]]",
                5,
                2,
                "recompute_config: {recompute: [[2,1,0,0,0],[1,0,0,0,0]], select_recompute: {'feed_forward\\.w3\\.matmul': [2,1,0,0,0]},"
                        + " select_comm_recompute: ['ffn_norm\\.norm']}");
        List<String> lines = new ArrayList<>();
        result.get("formative").forEach(line -> lines.add(line.asText()));
        assertThat(lines)
                .containsExactly(
                        "Formative layer_recompute: [[2, 1, 0, 0, 0], [1, 0, 0, 0, 0]]",
                        "The configuration of select_recompute_exclude and select_comm_recompute_exclude have the highest priority.",
                        "Formative select_recompute: {'feed_forward\\\\.w3\\\\.matmul': [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]]}",
                        "Formative select_comm_recompute: {'ffn_norm\\\\.norm': [[4, 5, 5, 5, 5], [5, 5, 5, 5, 4]]}",
                        "Formative select_recompute_exclude: {}",
                        "Formative select_comm_recompute_exclude: {}");
    }
}
