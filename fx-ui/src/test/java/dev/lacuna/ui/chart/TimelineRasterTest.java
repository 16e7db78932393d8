package dev.lacuna.ui.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineRasterTest {
    private static final int WIDTH = 200;
    private static final int HEIGHT = 100;
    private static final ChartPalette COLOURS = ChartPalette.DARK;
    private static final long MIB = 1L << 20;

    private final Pixels picture = new Pixels(WIDTH, HEIGHT, new int[WIDTH * HEIGHT]);
    private final ByteScale scale = new ByteScale();
    private final long[] reserved = constant(80 * MIB);
    private final long[] allocatedLow = constant(40 * MIB);
    private final long[] allocatedHigh = constant(40 * MIB);
    private long[] limit = constant(96 * MIB);
    private long[] steps = {};
    private List<Marker> markers = List.of();

    private static long[] constant(long value) {
        long[] values = new long[WIDTH];
        Arrays.fill(values, value);
        return values;
    }

    private void draw() {
        scale.reach(100 * MIB);
        TimelineFrame frame = new TimelineFrame(
                new TimeRange(0, WIDTH),
                new Columns(reserved, reserved),
                new Columns(allocatedLow, allocatedHigh),
                new Columns(constant(39 * MIB), constant(39 * MIB)),
                new Columns(limit, limit),
                steps,
                markers);
        new TimelineRaster(COLOURS, 1).draw(frame, scale, picture);
    }

    private int y(long bytes) {
        return (int) scale.y(bytes, HEIGHT);
    }

    private static boolean looksLike(int pixel, int colour) {
        int distance = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            distance += Math.abs((pixel >> shift & 0xff) - (colour >> shift & 0xff));
        }
        return distance < 60;
    }

    @Test
    void draws_each_series_at_its_height() {
        draw();
        assertThat(looksLike(picture.at(50, y(80 * MIB)), COLOURS.reserved())).isTrue();
        assertThat(looksLike(picture.at(50, y(40 * MIB)), COLOURS.allocated())).isTrue();
    }

    @Test
    void shades_the_gap_between_reserved_and_allocated_and_nothing_above() {
        draw();
        int gap = picture.at(50, y(60 * MIB));
        assertThat(gap >> 16 & 0xff).as("more red than blue").isGreaterThan((gap & 0xff) + 15);
        assertThat(picture.at(50, y(88 * MIB))).isEqualTo(COLOURS.ground());
    }

    @Test
    void gives_the_gap_a_pattern_beside_its_colour() {
        draw();
        long tones = picture(60).distinct().count();
        assertThat(tones).isEqualTo(2);
    }

    private java.util.stream.IntStream picture(int mib) {
        return java.util.stream.IntStream.range(0, WIDTH).map(x -> picture.at(x, y(mib * MIB)));
    }

    @Test
    void draws_a_peak_of_one_column_to_its_full_height() {
        allocatedHigh[120] = 79 * MIB;
        draw();
        assertThat(looksLike(picture.at(120, y(78 * MIB)), COLOURS.allocated())).isTrue();
        assertThat(looksLike(picture.at(125, y(78 * MIB)), COLOURS.allocated())).isFalse();
    }

    @Test
    void joins_neighbouring_columns_so_that_the_line_is_unbroken() {
        for (int x = 100; x < WIDTH; x++) {
            allocatedLow[x] = 70 * MIB;
            allocatedHigh[x] = 70 * MIB;
        }
        draw();
        for (int mib = 42; mib < 69; mib++) {
            int height = y(mib * MIB);
            assertThat(looksLike(picture.at(99, height), COLOURS.allocated())
                            || looksLike(picture.at(100, height), COLOURS.allocated()))
                    .as(mib + " MiB")
                    .isTrue();
        }
    }

    @Test
    void dashes_the_limit() {
        draw();
        int row = y(96 * MIB);
        assertThat(java.util.stream.IntStream.range(0, WIDTH)
                        .filter(x -> looksLike(picture.at(x, row), COLOURS.limit()))
                        .count())
                .isBetween(WIDTH / 3L, WIDTH * 3L / 4);
    }

    @Test
    void leaves_a_limit_beyond_the_scale_out() {
        limit = constant(1L << 40);
        draw();
        for (int row = 0; row < 4; row++) {
            assertThat(looksLike(picture.at(50, row), COLOURS.limit()))
                    .as("row " + row)
                    .isFalse();
        }
    }

    @Test
    void marks_steps_at_the_bottom_unless_they_would_smear() {
        steps = new long[] {20, 60, 100};
        draw();
        int one = picture.at(60, HEIGHT - 2);
        assertThat(one).isNotEqualTo(picture.at(61, HEIGHT - 2));
        steps = new long[WIDTH];
        Arrays.setAll(steps, i -> i);
        draw();
        assertThat(picture.at(60, HEIGHT - 2)).isEqualTo(picture.at(61, HEIGHT - 2));
    }

    @Test
    void marks_an_alarm_from_top_to_bottom_and_a_note_with_dots() {
        markers = List.of(
                new Marker(30, Marker.Tone.ALARM, "oom", 1), new Marker(90, Marker.Tone.NOTE, "optimisation", 1));
        draw();
        assertThat(looksLike(picture.at(30, 1), COLOURS.limit())).isTrue();
        assertThat(looksLike(picture.at(30, 8), COLOURS.limit())).isTrue();
        assertThat(java.util.stream.IntStream.range(0, 10)
                        .map(row -> picture.at(90, row))
                        .distinct()
                        .count())
                .isGreaterThan(1);
    }

    @Test
    void draws_nothing_where_there_is_no_data() {
        TimelineFrame frame = TimelineFrame.empty(new TimeRange(0, WIDTH), WIDTH);
        scale.reach(100 * MIB);
        new TimelineRaster(COLOURS, 1).draw(frame, scale, picture);
        assertThat(java.util.stream.IntStream.range(0, WIDTH).map(x -> picture.at(x, 47)))
                .containsOnly(COLOURS.ground());
    }

    @Test
    void cuts_strokes_that_leave_the_picture() {
        Arrays.fill(reserved, 400 * MIB);
        markers = List.of(new Marker(-500, Marker.Tone.ALARM, "oom", 1));
        draw();
        assertThat(looksLike(picture.at(50, y(40 * MIB)), COLOURS.allocated())).isTrue();
    }
}
