package dev.lacuna.ui.places.recording.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.chart.Pixels;
import org.junit.jupiter.api.Test;

class ColumnStacksTest {
    private static final int RED = 0xffff0000;
    private static final int BLUE = 0xff0000ff;

    private final Pixels out = new Pixels(1, 4, new int[4]);
    private final ColumnStacks stacks = new ColumnStacks(out);

    @Test
    void lays_whole_pixels_on_each_other_from_the_bottom() {
        stacks.add(0, 2, RED);
        stacks.add(0, 1, BLUE);
        stacks.finish();
        assertThat(out.at(0, 3)).isEqualTo(RED);
        assertThat(out.at(0, 2)).isEqualTo(RED);
        assertThat(out.at(0, 1)).isEqualTo(BLUE);
        assertThat(out.at(0, 0)).isZero();
    }

    @Test
    void mixes_what_is_lower_than_a_pixel_by_its_share() {
        for (int i = 0; i < 4; i++) {
            stacks.add(0, 0.25, i % 2 == 0 ? RED : BLUE);
        }
        stacks.finish();
        assertThat(out.at(0, 3)).isEqualTo(0xff800080);
        assertThat(stacks.height(0)).isEqualTo(1);
    }

    @Test
    void a_tall_block_closes_the_pixel_that_another_began() {
        stacks.add(0, 0.5, RED);
        stacks.add(0, 2.5, BLUE);
        stacks.finish();
        assertThat(out.at(0, 3)).isEqualTo(0xff800080);
        assertThat(out.at(0, 2)).isEqualTo(BLUE);
        assertThat(out.at(0, 1)).isEqualTo(BLUE);
        assertThat(stacks.height(0)).isEqualTo(3);
    }
}
