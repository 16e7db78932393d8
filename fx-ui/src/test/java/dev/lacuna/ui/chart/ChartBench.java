package dev.lacuna.ui.chart;

import java.util.List;
import java.util.Random;

/** Not a test: prints what one frame costs, cutting it out of a million samples and drawing it, at several spans. */
public final class ChartBench {
    private static final int SAMPLES = 1_000_000;
    private static final long STEP_NS = 33_000_000;
    private static final int ROUNDS = 300;

    private ChartBench() {}

    public static void main(String... args) {
        SeriesHistory history = new SeriesHistory(5, SAMPLES);
        Random random = new Random(1);
        for (int i = 1; i <= SAMPLES; i++) {
            long allocated = (3L << 30) + random.nextInt(1 << 30);
            long[] value = {6L << 30, allocated, allocated - 9999, 8L << 30, i / 10};
            long[] max = {6L << 30, allocated + (1 << 28), allocated, 8L << 30, i / 10};
            history.append(i * STEP_NS, value, value, max);
        }
        for (int samples : new int[] {1_000, 54_000, SAMPLES}) {
            measure(history, samples);
        }
    }

    private static void measure(SeriesHistory history, int samples) {
        int width = 1200;
        int height = 700;
        Pixels pixels = new Pixels(width, height, new int[width * height]);
        TimelineRaster raster = new TimelineRaster(ChartPalette.DARK, 1);
        ByteScale scale = new ByteScale();
        scale.reach(8L << 30);
        long cut = 0;
        long drawn = 0;
        for (int round = 0; round < 2 * ROUNDS; round++) {
            long end = history.latestNs() - round * STEP_NS;
            TimeRange range = new TimeRange(end - samples * STEP_NS, end);
            long start = System.nanoTime();
            Columns[] c = history.columns(range, width);
            TimelineFrame frame = new TimelineFrame(range, c[0], c[1], c[2], c[3], new long[0], List.of());
            long between = System.nanoTime();
            raster.draw(frame, scale, pixels);
            if (round >= ROUNDS) {
                cut += between - start;
                drawn += System.nanoTime() - between;
            }
        }
        System.out.printf(
                "%,9d samples in %d x %d: frame %.2f ms, raster %.2f ms%n",
                samples, width, height, cut / 1e6 / ROUNDS, drawn / 1e6 / ROUNDS);
    }
}
