package dev.lacuna.core.planning.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.ProfilesForTests;
import dev.lacuna.core.planning.chain.ChenSquareRoot;
import dev.lacuna.core.planning.method.CheckpointTree;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.planning.output.MegatronArguments.Note;
import dev.lacuna.core.planning.swap.conflict.SwapConflicts;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MegatronArgumentsTest {
    private static final String SCRIPT = """
            GPT_ARGS="
                --num-layers 32 \\
                --recompute-granularity selective \\
                --recompute-activations \\
                # --recompute-method uniform
                --hidden-size 4096
            "
            """;

    private static MegatronArguments of(String letters, int chunks) throws RefusedException {
        return MegatronArguments.of(LayerPolicy.parse(letters), chunks);
    }

    @Test
    void one_number_says_how_many_layers_of_each_chunk() throws Exception {
        assertThat(of("RRKKRRKK", 2).text())
                .isEqualTo("--recompute-granularity full --recompute-method block --recompute-num-layers 2");
        assertThat(of("RRKKRRKK", 2).notes()).isEmpty();
        assertThat(of("RRRR", 2).text())
                .isEqualTo("--recompute-granularity full --recompute-method uniform --recompute-num-layers 1");
    }

    @Test
    void what_they_cannot_say_is_told() throws Exception {
        assertThat(of("RRKKRKKK", 2).notes()).containsExactly(Note.MORE_LAYERS);
        assertThat(of("KRKRRKKR", 2).notes()).containsExactly(Note.FIRST_LAYERS);
        assertThat(of("KKKK", 1).notes()).containsExactly(Note.NOTHING);
        assertThatThrownBy(() -> of("KSKK", 1)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> of("KRKKK", 2)).isInstanceOf(RefusedException.class);
    }

    @Test
    void equal_segments_are_uniform_units() {
        PlanningProfile.Chain chain = ProfilesForTests.chain(9);
        CheckpointTree tree = CheckpointTree.of(new ChenSquareRoot()
                        .plan(chain.chain(), Long.MAX_VALUE)
                        .orElseThrow()
                        .steps())
                .orElseThrow();
        MegatronArguments arguments = MegatronArguments.of(tree, 9).orElseThrow();
        assertThat(arguments.text()).endsWith("--recompute-method uniform --recompute-num-layers 3");
        assertThat(arguments.notes()).containsExactly(Note.LAST_UNIT);
    }

    @Test
    void a_script_changes_only_where_the_plan_decides() throws Exception {
        assertThat(MegatronScript.edited(SCRIPT, of("RRKK", 1)))
                .isEqualTo(SCRIPT.replace(
                                "--num-layers 32", "--num-layers 32 --recompute-method block --recompute-num-layers 2")
                        .replace("granularity selective", "granularity full")
                        .replace("    --recompute-activations \\\n", ""));
        assertThat(MegatronScript.edited(SCRIPT, of("KKKK", 1)))
                .isEqualTo(SCRIPT.replace("    --recompute-granularity selective \\\n", "")
                        .replace("    --recompute-activations \\\n", ""));
    }

    @Test
    void a_text_without_a_place_for_new_arguments_is_refused() {
        assertThatThrownBy(() -> MegatronScript.edited("--hidden-size 1", of("RK", 1)))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> MegatronScript.edited(
                        "--num-layers 2 --recompute-method block --recompute-method uniform", of("RK", 1)))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void a_plan_for_other_layers_than_the_script_trains_is_refused() throws Exception {
        MegatronArguments plan = of("R".repeat(18), 1);
        assertThatThrownBy(() -> MegatronScript.edited("pretrain.py --num-layers 8 --hidden-size 64", plan, 18))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("18")
                .hasMessageContaining("8");
        assertThatThrownBy(() -> MegatronScript.edited("LAYERS=8\npretrain.py --num-layers $LAYERS", plan, 18))
                .isInstanceOf(RefusedException.class);
        assertThat(MegatronScript.edited("pretrain.py --num-layers 18", plan, 18)
                        .text())
                .contains("--recompute-granularity full");
    }

    @Test
    void what_decides_by_itself_does_not_stay_beside_a_plan() throws Exception {
        MegatronScript.Edited edited = MegatronScript.edited(
                "pretrain.py --num-layers 4 \\\n    --adaptive-memory-optimization \\\n    --bf16\n", of("RRKK", 1), 4);
        assertThat(edited.text()).doesNotContain("adaptive").contains("--bf16");
        assertThat(edited.notes()).containsExactly(Note.SELF_DECIDING);
        assertThat(SwapConflicts.of(Arguments.parse(edited.text()), Set.of())).isEmpty();
        assertThat(MegatronScript.edited("pretrain.py --num-layers 4", of("RRKK", 1), 4)
                        .notes())
                .isEmpty();
    }
}
