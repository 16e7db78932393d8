package dev.lacuna.core.planning.swap.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.document.ConfigReader;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.swap.conflict.SwapConflict.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SwapConflictsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --adaptive-memory-optimization --ampipe-degree 2|adaptive-memory+ampipe|REFUSED
            --adaptive-memory-optimization --adaptive-recompute-device-size 50000|adaptive-memory+adaptive-recompute|REFUSED
            --adaptive-memory-optimization --recompute-method block|adaptive-memory+recompute|REFUSED
            --adaptive-memory-optimization --recompute-activation-function|adaptive-memory+activation-function|REFUSED
            --adaptive-memory-optimization --swap-attention|adaptive-memory+swap-attention|REFUSED
            --adaptive-memory-optimization --recompute-in-bubble|adaptive-memory+bubble|REFUSED
            --adaptive-memory-optimization --memory-fragmentation|adaptive-memory+fragmentation|REFUSED
            --adaptive-memory-optimization --smart-swap|adaptive-memory+smart-swap|VOID
            --adaptive-recompute-device-size=50000 --recompute-granularity selective|adaptive-recompute+recompute|REFUSED
            --adaptive-recompute-device-swap --recompute-activation-function|adaptive-recompute+activation-function|REFUSED
            --adaptive-recompute-device-swap --swap-attention|adaptive-recompute+swap-attention|REFUSED
            --adaptive-recompute-device-swap --recompute-in-advance|adaptive-recompute+ripipe|REFUSED
            --adaptive-recompute-device-swap --memory-fragmentation|adaptive-recompute+fragmentation|REFUSED
            --smart-swap --adaptive-recompute-device-swap|smart-swap+adaptive-recompute|REFUSED
            --smart-swap --memory-fragmentation|smart-swap+fragmentation|REFUSED
            --adaptive-recompute-device-swap --use-mcore-models|device-swap+mcore|REFUSED
            """)
    void finds_what_mindspeed_refuses_or_leaves_out(String command, String id, Severity severity) {
        List<SwapConflict> found = SwapConflicts.of(Arguments.parse("train.py " + command), Set.of());

        assertThat(found).extracting(SwapConflict::id).containsExactly(id);
        assertThat(found.get(0).severity()).isEqualTo(severity);
        assertThat(command.split("[ =]")).containsAll(found.get(0).settings());
    }

    @Test
    void settings_that_are_off_meet_nobody() {
        String command = "train.py --adaptive-memory-optimization --ampipe-degree 1"
                + " --adaptive-recompute-device-size -1 --swap-modules self_attention";

        assertThat(SwapConflicts.of(Arguments.parse(command), Set.of())).isEmpty();
    }

    @Test
    void ours_exclude_other_allocators_and_swaps_and_waste_full_recomputation() {
        assertThat(ids("--memory-fragmentation")).containsExactly("pools+fragmentation", "pools+swap");
        assertThat(ids("--swap-attention")).containsExactly("swap+swap-attention", "pools+swap");
        assertThat(ids("--recompute-granularity full"))
                .containsExactly("swap+full-recompute", "policy+full-recompute", "pools+swap");
        assertThat(ids("--recompute-granularity selective")).containsExactly("pools+swap");
    }

    @Test
    void the_worst_comes_first_and_says_whether_something_must_change() {
        List<SwapConflict> found = SwapConflicts.of(
                Arguments.parse("x --adaptive-memory-optimization --recompute-granularity full"),
                SwapConflicts.everything());

        assertThat(found).isSortedAccordingTo((a, b) -> a.severity().compareTo(b.severity()));
        assertThat(found.get(0).mustChange()).isTrue();
        assertThat(found.get(0).explanation(Locale.ENGLISH))
                .contains(
                        "adaptive memory optimization is not compatible with recompute_granularity or recompute_method");
        assertThat(found.get(found.size() - 1).severity()).isEqualTo(Severity.TOGETHER);
        assertThat(found.get(found.size() - 1).mustChange()).isFalse();
    }

    @Test
    void mindformers_swap_and_full_recomputation_are_explained() throws Exception {
        ConfigDocument file = ConfigReader.read("""
                model_config: {num_layers: 4}
                parallel_config: {pipeline_stage: 1}
                recompute_config: {recompute: true}
                swap_config: {swap: true, layer_swap: [{backward_prefetch: 1, layers: true}]}
                """);

        assertThat(SwapConflicts.of(file, Map.of(), SwapConflicts.everything()))
                .extracting(SwapConflict::id)
                .contains("swap+mindformers-swap", "policy+mindformers-recompute");
    }

    @Test
    void every_conflict_and_severity_has_both_texts_in_both_languages() {
        Set<String> keys = new TreeSet<>();
        SwapConflicts.ids().forEach(id -> keys.addAll(List.of(id + ".why", id + ".do")));
        List.of(Severity.values()).forEach(each -> keys.add("severity." + each.id()));
        for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            ResourceBundle bundle = SwapConflict.bundle(locale);
            assertThat(new TreeSet<>(bundle.keySet())).as(locale.toString()).isEqualTo(keys);
            for (String id : SwapConflicts.ids()) {
                SwapConflict one = new SwapConflict(id, Severity.REFUSED, List.of("--a", "--b"), "quote");
                assertThat(one.explanation(locale) + one.remedy(locale)).doesNotContain("{", "}");
            }
        }
    }

    private static List<String> ids(String command) {
        return SwapConflicts.of(Arguments.parse("train.py " + command), SwapConflicts.everything()).stream()
                .map(SwapConflict::id)
                .toList();
    }
}
