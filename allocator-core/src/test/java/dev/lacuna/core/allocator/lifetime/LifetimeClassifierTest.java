package dev.lacuna.core.allocator.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LifetimeClassifierTest {
    private static final long SIZE = 4096;
    private static final long OTHER_SIZE = 8192;

    private final LifetimeClassifier classifier = new LifetimeClassifier();
    private int blocks;

    private int live(long size) {
        classifier.classify(size, false);
        classifier.born(++blocks);
        return blocks;
    }

    private Lifetime predicted(long size) {
        return classifier.classify(size, false);
    }

    private void step(Runnable body) {
        classifier.stepBegan();
        body.run();
        classifier.stepEnded();
    }

    @Test
    void set_up_is_long_lived_and_teaches_nothing() {
        assertThat(classifier.classify(SIZE, true)).isEqualTo(Lifetime.LONG);
        classifier.born(1);
        classifier.stepBegan();
        classifier.stepEnded();
        classifier.stepBegan();
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
    }

    @Test
    void surviving_one_step_is_enough_to_be_expected_to_live_long() {
        step(() -> live(SIZE));
        classifier.stepBegan();
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
    }

    @Test
    void a_second_request_of_a_size_is_another_matter_than_the_first() {
        step(() -> live(SIZE));
        classifier.stepBegan();
        predicted(SIZE);
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
    }

    @Test
    void requests_of_other_sizes_do_not_move_the_place_in_the_step() {
        step(() -> live(SIZE));
        classifier.stepBegan();
        predicted(OTHER_SIZE);
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
    }

    @Test
    void early_deaths_outweigh_an_old_survival_and_three_survivals_are_remembered_at_most() {
        for (int i = 0; i < 5; i++) {
            step(() -> live(SIZE));
        }
        for (int deaths = 0; deaths < 3; deaths++) {
            classifier.stepBegan();
            assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
            classifier.born(++blocks);
            classifier.freed(blocks);
            classifier.stepEnded();
        }
        classifier.stepBegan();
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
    }

    @Test
    void from_the_64th_request_of_a_size_on_all_share_one_place() {
        step(() -> {
            for (int i = 0; i < 64; i++) {
                classifier.classify(SIZE, false);
            }
            live(SIZE);
        });
        classifier.stepBegan();
        for (int i = 0; i < 63; i++) {
            assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
        }
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
    }

    @Test
    void without_steps_a_block_has_lived_long_after_2048_events() {
        live(SIZE);
        for (int event = 1; event < 2048; event++) {
            classifier.classify(OTHER_SIZE, false);
        }
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.LONG);
    }

    @Test
    void without_steps_a_block_of_2047_events_is_still_young() {
        int block = live(SIZE);
        for (int event = 1; event < 2047; event++) {
            classifier.classify(OTHER_SIZE, false);
        }
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
        classifier.freed(block);
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
    }

    @Test
    void once_steps_are_marked_age_alone_decides_nothing() {
        classifier.stepBegan();
        live(SIZE);
        for (int event = 0; event < 5000; event++) {
            classifier.classify(OTHER_SIZE, false);
        }
        classifier.stepBegan();
        assertThat(predicted(SIZE)).isEqualTo(Lifetime.SHORT);
    }
}
