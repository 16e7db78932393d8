package dev.lacuna.core.allocator.mindspeed;

import static dev.lacuna.core.allocator.lifetime.Lifetime.LONG;
import static dev.lacuna.core.allocator.lifetime.Lifetime.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.lifetime.Lifetime;
import dev.lacuna.core.base.counters.Phase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifetimeRecordersTest {
    private final LifetimeRecorders recorders = new LifetimeRecorders();
    private int blocks;

    @BeforeEach
    void the_forward_pair_of_model_set_up_has_passed() {
        begin(Phase.FORWARD);
        end(Phase.FORWARD);
    }

    private void begin(Phase phase) {
        recorders.phase(phase, true);
    }

    private void end(Phase phase) {
        recorders.phase(phase, false);
    }

    /** A request that is decided and served; returns the block's number. */
    private int get(long bytes) {
        decide(bytes);
        return born(bytes);
    }

    private Lifetime decide(long bytes) {
        return recorders.decide(bytes, rounded(bytes));
    }

    private int born(long bytes) {
        recorders.born(blocks, bytes, rounded(bytes));
        return blocks++;
    }

    private static long rounded(long bytes) {
        return (bytes + 511) / 512 * 512;
    }

    private void forward(long survivor, long temporary) {
        begin(Phase.FORWARD);
        get(survivor);
        recorders.freed(get(temporary));
        end(Phase.FORWARD);
    }

    @Test
    void outside_all_phases_lives_are_short() {
        assertThat(decide(1)).isEqualTo(SHORT);
    }

    @Test
    void set_up_is_long_lived_whatever_else_is_open() {
        begin(Phase.STEP);
        begin(Phase.SETUP);
        assertThat(decide(1)).isEqualTo(LONG);
        end(Phase.SETUP);
        assertThat(decide(1)).isEqualTo(SHORT);
    }

    @Test
    void one_end_ends_set_up_however_often_it_began() {
        begin(Phase.SETUP);
        begin(Phase.SETUP);
        end(Phase.SETUP);
        assertThat(decide(1)).isEqualTo(SHORT);
    }

    @Test
    void the_first_forward_pair_is_not_recorded() {
        LifetimeRecorders fresh = new LifetimeRecorders();
        fresh.phase(Phase.FORWARD, true);
        assertThat(fresh.inForward()).isFalse();
        fresh.phase(Phase.FORWARD, false);
        fresh.phase(Phase.FORWARD, true);
        assertThat(fresh.inForward()).isTrue();
    }

    @Test
    void forward_passes_that_begin_under_set_up_are_neither_recorded_nor_counted() {
        LifetimeRecorders fresh = new LifetimeRecorders();
        fresh.phase(Phase.SETUP, true);
        fresh.phase(Phase.FORWARD, true);
        fresh.phase(Phase.FORWARD, false);
        fresh.phase(Phase.SETUP, false);
        fresh.phase(Phase.FORWARD, true);
        assertThat(fresh.inForward()).isFalse();
    }

    @Test
    void the_whole_first_recorded_forward_pass_is_long_lived() {
        begin(Phase.FORWARD);
        assertThat(decide(1)).isEqualTo(LONG);
        born(1);
        assertThat(decide(600)).isEqualTo(LONG);
    }

    @Test
    void survivors_of_the_last_forward_pass_are_long_lived_and_the_rest_is_not() {
        forward(100, 200);
        begin(Phase.FORWARD);
        assertThat(decide(100)).isEqualTo(LONG);
        born(100);
        assertThat(decide(200)).isEqualTo(SHORT);
        assertThat(decide(300)).isEqualTo(SHORT);
    }

    @Test
    void forward_passes_compare_what_was_asked_for_and_steps_what_was_rounded() {
        forward(100, 200);
        begin(Phase.STEP);
        get(1000);
        end(Phase.STEP);
        begin(Phase.FORWARD);
        assertThat(decide(101)).isEqualTo(SHORT);
        end(Phase.FORWARD);
        begin(Phase.STEP);
        assertThat(decide(1024)).isEqualTo(LONG);
    }

    @Test
    void a_request_is_not_compared_with_what_came_later_in_the_last_pass() {
        begin(Phase.FORWARD);
        get(300);
        get(200);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        assertThat(decide(200)).isEqualTo(SHORT);
        born(200);
        assertThat(decide(200)).isEqualTo(LONG);
    }

    @Test
    void of_several_equal_requests_the_nearest_earlier_one_decides() {
        begin(Phase.FORWARD);
        get(100);
        recorders.freed(get(100));
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        assertThat(decide(100)).isEqualTo(LONG);
        born(100);
        assertThat(decide(100)).isEqualTo(SHORT);
        born(100);
        assertThat(decide(100)).isEqualTo(SHORT);
    }

    @Test
    void a_block_freed_after_its_pass_has_survived_it() {
        begin(Phase.FORWARD);
        int block = get(100);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        recorders.freed(block);
        assertThat(decide(100)).isEqualTo(LONG);
    }

    @Test
    void a_late_free_does_not_end_a_record_of_the_running_pass() {
        begin(Phase.FORWARD);
        int old = get(100);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        get(100);
        recorders.freed(old);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        assertThat(decide(100)).isEqualTo(LONG);
    }

    @Test
    void survivors_of_the_last_step_are_long_lived_even_where_the_forward_pass_says_short() {
        begin(Phase.STEP);
        begin(Phase.FORWARD);
        get(100);
        recorders.freed(get(600));
        end(Phase.FORWARD);
        end(Phase.STEP);
        begin(Phase.STEP);
        begin(Phase.FORWARD);
        assertThat(decide(100)).isEqualTo(LONG);
        born(100);
        assertThat(decide(600)).isEqualTo(SHORT);
        assertThat(decide(101)).as("the step recorder sees the same 512 bytes").isEqualTo(LONG);
    }

    @Test
    void the_first_step_knows_nothing_and_is_kept_as_a_branch() {
        begin(Phase.STEP);
        assertThat(decide(100)).isEqualTo(SHORT);
        born(100);
        end(Phase.STEP);
        begin(Phase.STEP);
        end(Phase.STEP);
        begin(Phase.STEP);
        // The last step was empty; the first one answers.
        assertThat(decide(100)).isEqualTo(LONG);
    }

    @Test
    void a_pass_that_met_something_new_early_answers_for_what_later_passes_do_not_know() {
        forward(100, 200);
        forward(300, 400);
        forward(100, 200);
        begin(Phase.FORWARD);
        assertThat(decide(300)).isEqualTo(LONG);
    }

    @Test
    void a_new_size_beyond_the_length_of_the_last_pass_makes_no_branch() {
        forward(100, 200);
        begin(Phase.FORWARD);
        get(100);
        get(200);
        get(100);
        // The fourth look-up of a pass whose predecessor had two requests: longer is not different.
        get(300);
        end(Phase.FORWARD);
        forward(100, 200);
        begin(Phase.FORWARD);
        get(100);
        get(100);
        get(100);
        assertThat(decide(300)).isEqualTo(SHORT);
    }

    @Test
    void a_new_size_just_after_the_length_of_the_last_pass_still_makes_a_branch() {
        forward(100, 200);
        begin(Phase.FORWARD);
        get(100);
        get(200);
        get(300);
        end(Phase.FORWARD);
        forward(100, 200);
        begin(Phase.FORWARD);
        get(100);
        get(100);
        assertThat(decide(300)).isEqualTo(LONG);
    }

    @Test
    void an_end_without_a_beginning_forgets_the_last_pass() {
        forward(100, 200);
        end(Phase.FORWARD);
        begin(Phase.FORWARD);
        assertThat(decide(200)).as("no last pass: everything is kept").isEqualTo(LONG);
    }
}
