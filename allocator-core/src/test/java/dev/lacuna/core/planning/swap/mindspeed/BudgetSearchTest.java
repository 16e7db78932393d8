package dev.lacuna.core.planning.swap.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Golden sequences of facts, section 2.6. */
final class BudgetSearchTest {
    private static final StepOutcome RESCUED = new StepOutcome(64L << 20, 1);

    @Test
    void finds_the_largest_budget_that_runs() {
        assertThat(SearchRun.of(58_960, 20_000, 40_000, 1).steps())
                .containsExactly(
                        "58960 oom",
                        "39480 ok",
                        "49220 oom",
                        "44350 oom",
                        "41915 oom",
                        "40697 oom",
                        "40088 oom",
                        "39784 ok",
                        "39936 ok",
                        "40012 oom",
                        "39974 ok",
                        "39993 ok",
                        "40002 oom",
                        "39997 ok",
                        "39999 ok",
                        "40000 ok",
                        "40001 oom",
                        "40000 ok found");
    }

    @Test
    void runs_no_step_for_a_policy_that_it_knows() {
        assertThat(SearchRun.of(58_960, 20_000, 40_000, 1000).steps())
                .containsExactly(
                        "58960 oom", "39480 ok", "49220 oom", "44350 oom", "41915 oom", "40697 oom", "39999 ok found");
    }

    @Test
    void a_device_that_never_runs_out_keeps_all_of_it() {
        assertThat(SearchRun.of(58_960, 20_000, 58_961, 1).steps()).containsExactly("58960 ok", "58960 ok found");
    }

    @Test
    void gives_up_at_the_static_memory() {
        assertThat(SearchRun.of(58_960, 20_000, 19_999, 1).steps())
                .startsWith("58960 oom", "39480 oom", "29740 oom")
                .endsWith("20001 oom", "20000 oom", "error out of Memory!!!!!!!!!!");
    }

    @Test
    void a_single_retry_repeats_the_budget_once_and_a_second_counts_as_too_much() throws Exception {
        BudgetSearch<Integer> search = new BudgetSearch<>(1000, 100, budget -> budget);

        search.stepEnded(new StepOutcome(0, 1));
        assertThat(search.budgetMb()).isEqualTo(1000);
        search.stepEnded(new StepOutcome(0, 1));
        assertThat(search.budgetMb()).isEqualTo(550);
        search.stepEnded(new StepOutcome(0, 2));
        assertThat(search.budgetMb()).isEqualTo(325);
    }

    @Test
    void rescuing_less_than_a_mebibyte_counts_as_none() throws Exception {
        BudgetSearch<Integer> search = new BudgetSearch<>(1000, 100, budget -> budget);

        search.stepEnded(new StepOutcome((1 << 20) - 1, 0));

        assertThat(search.found()).isTrue();
    }

    @Test
    void a_found_budget_that_turns_bad_resumes_the_search_below_it() throws Exception {
        BudgetSearch<Integer> search = new BudgetSearch<>(1000, 100, budget -> budget);
        search.stepEnded(StepOutcome.FINE);
        assertThat(search.found()).isTrue();

        search.stepEnded(RESCUED);

        assertThat(search.found()).isFalse();
        assertThat(search.budgetMb()).isEqualTo(550);
    }

    @Test
    void refuses_steps_after_the_end() throws Exception {
        BudgetSearch<Integer> search = new BudgetSearch<>(1000, 100, budget -> budget);
        search.stepEnded(StepOutcome.FINE);
        search.stepEnded(StepOutcome.FINE);

        assertThat(search.stable()).isTrue();
        assertThatThrownBy(() -> search.stepEnded(StepOutcome.FINE)).isInstanceOf(IllegalStateException.class);
    }
}
