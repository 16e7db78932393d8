package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.planning.swap.mindspeed.LayerCombination.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines and the name were written by Python's json and hashlib. */
final class OutOfMemoryPoliciesTest {
    private static final LayerCombination FULL =
            new LayerCombination(Kind.FULL_RECOMPUTE, List.of("0"), List.of(), 12.5, 3.25);
    private static final LayerCombination MIXED =
            new LayerCombination(Kind.ADAPTIVE, List.of("\u5c42", "mlp"), List.of("core"), 80, 0.5);
    private static final String LINE =
            "{\"memory\": 0.0, \"polices\": [{\"adapt_type\": 0, \"memory\": 12.5, \"recompute\": [\"0\"], \"swap\": [], "
                    + "\"time\": 3.25}, {\"adapt_type\": 2, \"memory\": 80.0, \"recompute\": [\"\\u5c42\", \"mlp\"], "
                    + "\"swap\": [\"core\"], \"time\": 0.5}], \"policy_type\": \"normal\", \"time\": 9223372036854775807}\n";

    @TempDir
    private Path folder;

    @Test
    void a_policy_is_a_line_and_is_read_back() throws IOException {
        Path file = folder.resolve("stage0.policy");

        OutOfMemoryPolicies.NONE.with(List.of(FULL, MIXED)).write(file);

        assertThat(file).hasContent(LINE);
        assertThat(OutOfMemoryPolicies.read(file).identities())
                .containsExactly(PolicyIdentity.of(List.of(MIXED, FULL)));
        assertThat(folder.toFile().list()).containsExactly("stage0.policy");
    }

    @Test
    void a_policy_is_kept_once() {
        OutOfMemoryPolicies one = OutOfMemoryPolicies.NONE.with(List.of(FULL, MIXED));

        assertThat(one.with(List.of(MIXED, FULL)).policies()).hasSize(1);
        assertThat(one.with(List.of(FULL)).policies()).hasSize(2);
    }

    @Test
    void a_job_that_never_ran_has_none() throws IOException {
        assertThat(OutOfMemoryPolicies.read(folder.resolve("none.policy"))).isEqualTo(OutOfMemoryPolicies.NONE);
    }

    @Test
    void a_damaged_line_is_named() throws IOException {
        Path file = folder.resolve("cut.policy");
        for (String damaged : List.of(
                LINE.substring(0, 90),
                "[]",
                "7",
                "{\"polices\": 3}",
                LINE.replace("3.25", "\"x\""),
                LINE.replace("[]", "null"))) {
            Files.writeString(file, LINE + damaged);
            assertThatThrownBy(() -> OutOfMemoryPolicies.read(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(file + ":2: ");
        }
    }

    @Test
    void a_file_of_a_stage_is_named_after_what_its_policies_depend_on() {
        SearchedJob job = new SearchedJob(32, 2, 4096, 8192, 8, 1, 1, 2, true, 16);

        assertThat(job.policyFile(1, "ab12", Map.of("torch", "2.1.0", "driver", "Version=23\n")))
                .isEqualTo("b2_s4096_h8192_tp8_cp1_w16_sp8_ep1_dp1_stage1_"
                        + "e03d4aa31b5dc996fa06cf49a08dd16f2b6f96904e09c83b1116502bd1f77c98.policy");
    }

    @Test
    void a_search_runs_no_step_for_what_ran_out_of_memory_before() throws Exception {
        BudgetSearch<Integer> first = new BudgetSearch<>(1000, 100, budget -> budget / 100);
        first.stepEnded(new StepOutcome(64L << 20, 1));
        first.stepEnded(new StepOutcome(64L << 20, 1));
        assertThat(first.budgetMb()).isEqualTo(325);
        assertThat(first.outOfMemory()).containsExactly(10, 5);

        BudgetSearch<Integer> second = BudgetSearch.after(first.outOfMemory(), 1000, 100, budget -> budget / 100);

        assertThat(second.budgetMb()).isEqualTo(325);
        assertThatThrownBy(() -> BudgetSearch.after(Set.of(0, 1), 199, 50, budget -> budget / 100))
                .isInstanceOf(NoBudgetFitsException.class);
    }
}
