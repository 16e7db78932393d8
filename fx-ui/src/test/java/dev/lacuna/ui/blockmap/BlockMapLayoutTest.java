package dev.lacuna.ui.blockmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockMapLayoutTest {
    private static final long MIB = 1L << 20;
    private static final int SEGMENTS = 30;

    private final BlockMapLayout layout = new BlockMapLayout();
    private BlockMap map = BlockMap.EMPTY;

    @BeforeEach
    void thirty_segments_of_one_to_thirty_mebibytes() {
        BlockMap.Builder builder = new BlockMap.Builder(SEGMENTS, SEGMENTS);
        for (int s = 0; s < SEGMENTS; s++) {
            builder.segment(s * 64 * MIB, (s + 1) * MIB);
            builder.piece(s * 64 * MIB, (s + 1) * MIB, PieceKind.HOLE, 0, BlockMap.NAMELESS);
        }
        map = builder.build();
        layout.show(map, IntStream.range(0, SEGMENTS).toArray());
        layout.resize(400, 300, 16);
    }

    @Test
    void rows_fill_the_width_and_rows_to_scale_compare() {
        assertThat(layout.strips())
                .allSatisfy(strip -> assertThat(strip.right()).isEqualTo(400));
        layout.arrange(Arrangement.SCALE);
        assertThat(layout.strips())
                .allSatisfy(strip ->
                        assertThat(strip.right()).isEqualTo(400.0 * (strip.segment() + 1) / SEGMENTS, within(1e-6)));
    }

    @Test
    void tiles_show_every_byte_once_to_one_scale() {
        layout.arrange(Arrangement.TILES);
        List<Strip> strips = layout.strips();
        assertThat(layout.contentHeight()).isLessThanOrEqualTo(300);
        for (int s = 0; s < SEGMENTS; s++) {
            int segment = s;
            double bytes = strips.stream()
                    .filter(strip -> strip.segment() == segment)
                    .mapToDouble(strip -> strip.to() - strip.from())
                    .sum();
            assertThat(bytes).isEqualTo((s + 1.0) * MIB, within(2.0));
        }
        assertThat(strips).extracting(Strip::scale).containsOnly(strips.get(0).scale());
    }

    @ParameterizedTest
    @EnumSource
    void zooming_keeps_what_is_under_the_pointer_in_its_line(Arrangement arrangement) {
        layout.arrange(arrangement);
        Strip before = layout.stripAt(30, 130).orElseThrow();
        double offset = before.offset(30);
        layout.zoomAt(3, 30, 130);
        assertThat(layout.strips()).anySatisfy(strip -> {
            assertThat(strip.segment()).isEqualTo(before.segment());
            assertThat(offset).isBetween(strip.from() - 1, strip.to() + 1);
        });
        if (arrangement != Arrangement.TILES) {
            Strip now = layout.stripAt(30, 130).orElseThrow();
            assertThat(now.offset(30)).isEqualTo(offset, within(1.0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void fits_a_segment_and_goes_back_to_everything(Arrangement arrangement) {
        layout.arrange(arrangement);
        layout.fit(2, MIB, 2.0 * MIB);
        assertThat(layout.strips())
                .anySatisfy(strip -> assertThat(strip.segment()).isEqualTo(2));
        assertThat(layout.zoom()).isGreaterThan(1);
        layout.reset();
        assertThat(layout.zoom()).isEqualTo(1);
        assertThat(layout.top()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void never_scrolls_beyond_its_ends(Arrangement arrangement) {
        layout.arrange(arrangement);
        layout.zoomAt(50, 200, 100);
        layout.pan(-1e9, -1e9);
        assertThat(layout.strips()).isNotEmpty();
        layout.pan(1e9, 1e9);
        assertThat(layout.strips()).isNotEmpty();
        assertThat(layout.top()).isZero();
    }
}
