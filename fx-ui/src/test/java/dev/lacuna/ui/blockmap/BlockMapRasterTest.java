package dev.lacuna.ui.blockmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.chart.Pixels;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BlockMapRasterTest {
    private static final int HEIGHT = 20;
    private static final int HOLE = 0xff000001;
    private static final int HOLE_LINE = 0xff000002;
    private static final int FIRST_TONE = 0xff000100;
    private static final long UNIT = 512;

    private final BlockMap.Builder map = new BlockMap.Builder(1, 4);

    @Test
    void a_column_of_many_pieces_is_divided_by_their_bytes() {
        map.segment(0, 1000 * UNIT);
        for (int i = 0; i < 1000; i++) {
            map.piece(i * UNIT, UNIT, i % 4 == 0 ? PieceKind.HOLE : PieceKind.BLOCK, 0, i);
        }
        Pixels drawn = draw(10);
        assertThat(count(drawn, 5, FIRST_TONE)).isEqualTo(15);
        assertThat(holes(drawn, 5)).isEqualTo(5);
    }

    @Test
    void the_smallest_hole_among_a_million_blocks_is_seen() {
        map.segment(0, 1_000_000 * UNIT);
        map.piece(0, 500_000 * UNIT, PieceKind.BLOCK, 0, 0);
        map.piece(500_000 * UNIT, UNIT, PieceKind.HOLE, 0, -1);
        map.piece(500_001 * UNIT, 499_999 * UNIT, PieceKind.BLOCK, 0, 1);
        Pixels drawn = draw(10);
        assertThat(IntStream.range(0, 10).map(x -> holes(drawn, x)).sum()).isEqualTo(1);
    }

    @Test
    void the_smallest_block_in_an_empty_segment_is_seen() {
        map.segment(0, 1_000_000 * UNIT);
        map.piece(0, 700_000 * UNIT, PieceKind.HOLE, 0, -1);
        map.piece(700_000 * UNIT, UNIT, PieceKind.BLOCK, 0, 0);
        map.piece(700_001 * UNIT, 299_999 * UNIT, PieceKind.HOLE, 0, -1);
        Pixels drawn = draw(10);
        assertThat(IntStream.range(0, 10).map(x -> count(drawn, x, FIRST_TONE)).sum())
                .isEqualTo(1);
    }

    @Test
    void wide_pieces_have_sharp_edges_at_the_nearest_pixel() {
        map.segment(0, 100 * UNIT);
        map.piece(0, 44 * UNIT, PieceKind.BLOCK, 0, 0);
        map.piece(44 * UNIT, 56 * UNIT, PieceKind.HOLE, 0, -1);
        Pixels drawn = draw(10);
        assertThat(count(drawn, 3, FIRST_TONE)).isEqualTo(HEIGHT);
        assertThat(holes(drawn, 4)).isEqualTo(HEIGHT);
    }

    @Test
    void what_is_not_highlighted_stands_back() {
        map.segment(0, 100 * UNIT);
        map.piece(0, 50 * UNIT, PieceKind.BLOCK, 0, 0);
        map.piece(50 * UNIT, 50 * UNIT, PieceKind.BLOCK, 0, 1);
        BitSet second = new BitSet();
        second.set(1);
        Pixels drawn = draw(map.build(), 10, Optional.of(second));
        assertThat(count(drawn, 2, FIRST_TONE)).isZero();
        assertThat(count(drawn, 8, FIRST_TONE)).isEqualTo(HEIGHT);
    }

    @Test
    void pending_blocks_holes_and_unseen_memory_are_hatched_each_in_its_way() {
        Pixels pending = swatch(PieceKind.PENDING);
        Pixels hole = swatch(PieceKind.HOLE);
        Pixels unknown = swatch(PieceKind.UNKNOWN);
        assertThat(pattern(pending)).isNotEqualTo(pattern(hole)).isNotEqualTo(pattern(unknown));
        assertThat(pattern(hole)).isNotEqualTo(pattern(unknown));
        assertThat(pattern(swatch(PieceKind.BLOCK))).doesNotContain("#");
    }

    private Pixels draw(int width) {
        return draw(map.build(), width, Optional.empty());
    }

    private static Pixels draw(BlockMap map, int width, Optional<BitSet> bright) {
        BlockMapLayout layout = new BlockMapLayout();
        layout.show(map, 0);
        layout.resize(width, HEIGHT + 2 * BlockMapLayout.GAP, HEIGHT);
        Pixels pixels = new Pixels(width, HEIGHT + 6, new int[width * (HEIGHT + 6)]);
        new BlockMapRaster(palette()).draw(map, layout.strips(), bright, pixels);
        return pixels;
    }

    private static Pixels swatch(PieceKind kind) {
        Pixels pixels = new Pixels(12, 12, new int[144]);
        new BlockMapRaster(palette()).swatch(kind, 0, pixels);
        return pixels;
    }

    /** Which pixels differ from the first one's colour … whichever of the two that is. */
    private static String pattern(Pixels pixels) {
        StringBuilder out = new StringBuilder();
        for (int y = 0; y < pixels.height(); y++) {
            for (int x = 0; x < pixels.width(); x++) {
                out.append(pixels.at(x, y) == pixels.at(0, 0) ? '.' : '#');
            }
        }
        return out.toString();
    }

    private static BlockPalette palette() {
        int[] colours = IntStream.range(0, 7 + BlockTones.COUNT)
                .map(i -> FIRST_TONE + i - 7)
                .toArray();
        Arrays.setAll(colours, i -> i < 7 ? 0xff000000 + i : colours[i]);
        colours[1] = HOLE;
        colours[2] = HOLE_LINE;
        return new BlockPalette(colours);
    }

    private static int holes(Pixels drawn, int x) {
        return count(drawn, x, HOLE) + count(drawn, x, HOLE_LINE);
    }

    private static int count(Pixels drawn, int x, int colour) {
        return (int) IntStream.range(BlockMapLayout.GAP, BlockMapLayout.GAP + HEIGHT)
                .filter(y -> drawn.at(x, y) == colour)
                .count();
    }
}
