package dev.lacuna.ui.blockmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.chart.Pixels;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockMapPaperTest {
    private static final int WIDTH = 1000;
    private static final long MIB = 1 << 20;

    /** The light style's colour of what lives long. */
    private static final int LONG = 0xff8250df;

    /** Segments of 10 MiB, of which the last four are a hole. */
    private static MapDrawing drawing(int segments) {
        BlockMap.Builder map = new BlockMap.Builder(segments, 2 * segments);
        for (int i = 0; i < segments; i++) {
            long at = i * 100 * MIB;
            map.segment(at, 10 * MIB);
            map.piece(at, 6 * MIB, PieceKind.BLOCK, BlockTones.LONG, i);
            map.piece(at + 6 * MIB, 4 * MIB, PieceKind.HOLE, 0, BlockMap.NAMELESS);
        }
        List<Integer> order = IntStream.range(0, segments).boxed().toList();
        return new MapDrawing(map.build(), order, List.of(), segment -> List.of(), "");
    }

    private static long count(Pixels pixels, int y, int colour) {
        return IntStream.range(0, pixels.width())
                .filter(x -> pixels.at(x, y) == colour)
                .count();
    }

    @Test
    void a_row_a_segment_in_the_colours_of_the_light_style_with_the_size_of_each_hole() {
        BlockMapPaper paper = new BlockMapPaper(drawing(3), WIDTH);
        assertThat(BlockMapPaper.hasRows(drawing(3))).isTrue();
        assertThat(paper.lines()).extracting(BlockMapPaper.Line::segment).containsExactly(0, 1, 2);
        for (BlockMapPaper.Line line : paper.lines()) {
            assertThat(count(paper.pixels(), line.top() + line.height() / 2, LONG))
                    .isBetween(590L, 600L);
        }
        assertThat(paper.sizes()).extracting(BlockMapPaper.HoleSize::bytes).containsExactly(4 * MIB, 4 * MIB, 4 * MIB);
        assertThat(paper.sizes().get(0).middle()).isBetween(795, 805);
    }

    @Test
    void many_segments_are_tiles_and_none_lies_outside() {
        int segments = 2_000;
        BlockMapPaper paper = new BlockMapPaper(drawing(segments), WIDTH);
        assertThat(BlockMapPaper.hasRows(drawing(segments))).isFalse();
        assertThat(paper.lines().stream().map(BlockMapPaper.Line::segment).distinct())
                .hasSize(segments);
        assertThat(paper.lines())
                .allMatch(line -> line.top() >= 0
                        && line.top() + line.height() <= paper.pixels().height());
    }

    @Test
    void every_tone_has_a_colour_in_the_style_sheets() {
        BlockPalette palette = PaperPalette.read();
        assertThat(IntStream.range(0, BlockPalette.TONES).map(palette::tone))
                .doesNotContain(0xff000000)
                .doesNotHaveDuplicates();
        assertThat(palette.ground()).isEqualTo(0xffffffff);
    }

    @Test
    void nothing_is_a_picture_too() {
        BlockMapPaper paper = new BlockMapPaper(drawing(0), WIDTH);
        assertThat(paper.lines()).isEmpty();
        assertThat(paper.pixels().height()).isPositive();
    }
}
