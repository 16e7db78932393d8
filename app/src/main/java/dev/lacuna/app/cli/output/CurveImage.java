package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.Curve;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import dev.lacuna.core.planning.ParetoCurve;
import dev.lacuna.core.planning.method.PlanPoint;
import dev.lacuna.core.replay.ReplayTimeline;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The curves of the window as pictures, drawn without a screen. Of many values in one column the highest is shown: no peak is lost. */
public final class CurveImage {
    private static final double ROOM = 1.02;

    private CurveImage() {}

    /** The whole recording of a device: the curve of the reports. */
    public static byte[] png(Timeline timeline) {
        Curve curve = Curve.of(timeline, 0, timeline.size(), ChartPaper.ACROSS);
        return ChartPaper.png(paper -> {
            paper.area(curve.heights(MemorySeries.RESERVED), ChartPaper.RESERVED);
            paper.area(curve.heights(MemorySeries.ALLOCATED), ChartPaper.ALLOCATED);
            paper.grid(line -> ByteSize.format(curve.top() / ChartPaper.GRID_LINES * line));
            for (double x : curve.ooms()) {
                paper.alarm(x);
            }
            paper.entry(ChartPaper.RESERVED, CliText.text("snapshot.reserved"));
            paper.entry(ChartPaper.ALLOCATED, CliText.text("snapshot.allocated"));
            paper.below(CliText.text("curve.event", 0), CliText.text("curve.event", timeline.size()));
        });
    }

    /** What a trace allocated, and what each policy reserved for it; a red line where the first of them failed a request. */
    public static byte[] png(Map<String, ReplayTimeline> byPolicy) {
        List<String> names = List.copyOf(byPolicy.keySet());
        ReplayTimeline first = byPolicy.get(names.get(0));
        double top = Math.max(
                1, byPolicy.values().stream().mapToLong(CurveImage::most).max().orElse(1));
        return ChartPaper.png(paper -> {
            paper.area(heights(first, top, i -> first.allocatedMax((int) i)), ChartPaper.RESERVED);
            paper.grid(line -> ByteSize.format(Math.round(top / ChartPaper.GRID_LINES * line)));
            paper.entry(ChartPaper.RESERVED, CliText.text("snapshot.allocated"));
            for (int p = 0; p < names.size(); p++) {
                ReplayTimeline timeline = byPolicy.get(names.get(p));
                double[] heights = heights(timeline, top, i -> timeline.reservedMax((int) i));
                paper.steps(heights, ChartPaper.apart(p));
                paper.entry(ChartPaper.apart(p), names.get(p));
            }
            IntStream.range(0, first.stretches())
                    .filter(i -> first.ooms(i) > 0)
                    .forEach(i -> paper.alarm((double) i / first.stretches()));
            paper.below(CliText.text("curve.event", 0), CliText.text("curve.event", first.rows()));
        });
    }

    /** What was watched of a device, from left to right in time; a red line where a request failed for good. */
    public static byte[] png(WatchedMemory watched) {
        List<WatchedMemory.Moment> moments = watched.moments();
        double top = Math.max(1, watched.mostReservedBytes() * ROOM);
        long begin = beginMs(moments);
        long spanMs = spanMs(moments);
        return ChartPaper.png(paper -> {
            paper.area(heights(moments, WatchedMemory.Moment::reservedBytes, top), ChartPaper.RESERVED);
            paper.area(heights(moments, WatchedMemory.Moment::allocatedBytes, top), ChartPaper.ALLOCATED);
            paper.grid(line -> ByteSize.format(Math.round(top / ChartPaper.GRID_LINES * line)));
            moments.stream()
                    .filter(moment -> moment.failures() > 0)
                    .forEach(moment -> paper.alarm((double) (moment.timeMs() - begin) / Math.max(1, spanMs)));
            paper.entry(ChartPaper.RESERVED, watched.device() + " " + CliText.text("snapshot.reserved"));
            paper.entry(ChartPaper.ALLOCATED, CliText.text("snapshot.allocated"));
            paper.below(CliText.text("curve.seconds", 0), CliText.text("curve.seconds", spanMs / 1000.0));
        });
    }

    /** A clock that was set back takes nothing out of the picture. */
    private static long beginMs(List<WatchedMemory.Moment> moments) {
        return moments.stream().mapToLong(WatchedMemory.Moment::timeMs).min().orElse(0);
    }

    private static long spanMs(List<WatchedMemory.Moment> moments) {
        return moments.stream().mapToLong(WatchedMemory.Moment::timeMs).max().orElse(0) - beginMs(moments);
    }

    /** A column in which nothing was seen is as high as the one before. */
    private static double[] heights(
            List<WatchedMemory.Moment> moments, ToLongFunction<WatchedMemory.Moment> bytes, double top) {
        int columns = Math.min(ChartPaper.ACROSS, moments.size());
        double[] heights = new double[columns];
        Arrays.fill(heights, -1);
        long begin = beginMs(moments);
        long spanMs = spanMs(moments);
        for (WatchedMemory.Moment moment : moments) {
            int column = (int) ((moment.timeMs() - begin) * columns / (spanMs + 1));
            heights[column] = Math.max(heights[column], bytes.applyAsLong(moment) / top);
        }
        for (int c = 1; c < columns; c++) {
            heights[c] = heights[c] < 0 ? heights[c - 1] : heights[c];
        }
        return heights;
    }

    private static long most(ReplayTimeline timeline) {
        return IntStream.range(0, timeline.stretches())
                .mapToLong(i -> Math.max(timeline.reservedMax(i), timeline.allocatedMax(i)))
                .max()
                .orElse(0);
    }

    private static double[] heights(ReplayTimeline timeline, double top, LongUnaryOperator bytes) {
        int columns = Math.min(ChartPaper.ACROSS, timeline.stretches());
        double[] heights = new double[columns];
        for (int i = 0; i < timeline.stretches(); i++) {
            int column = (int) ((long) i * columns / timeline.stretches());
            heights[column] = Math.max(heights[column], bytes.applyAsLong(i) / top);
        }
        return heights;
    }

    /** Time over memory: what each method found, from left to right with more memory, upwards slower. */
    public static byte[] png(ParetoCurve curve) {
        Map<String, List<PlanPoint.Planned>> byMethod = curve.planned().stream()
                .collect(Collectors.groupingBy(PlanPoint.Planned::method, TreeMap::new, Collectors.toList()));
        double memory = Math.max(
                1,
                curve.planned().stream()
                        .mapToLong(PlanPoint.Planned::peakBytes)
                        .max()
                        .orElse(1));
        double slowest = curve.planned().stream()
                .mapToDouble(PlanPoint.Planned::overhead)
                .max()
                .orElse(1);
        double above = Math.max(0.01, (slowest - 1) * ROOM);
        return ChartPaper.png(paper -> {
            paper.grid(line -> String.format(Locale.ROOT, "%.3f×", 1 + above / ChartPaper.GRID_LINES * line));
            int[] index = {0};
            byMethod.forEach((method, points) -> {
                List<PlanPoint.Planned> ordered = points.stream()
                        .sorted((one, other) -> Long.compare(one.peakBytes(), other.peakBytes()))
                        .toList();
                double[] across = ordered.stream()
                        .mapToDouble(point -> point.peakBytes() / memory)
                        .toArray();
                double[] heights = ordered.stream()
                        .mapToDouble(point -> Math.max(0, (point.overhead() - 1) / above))
                        .toArray();
                paper.dots(across, heights, ChartPaper.apart(index[0]));
                paper.entry(ChartPaper.apart(index[0]++), method);
            });
            paper.below(ByteSize.format(0), ByteSize.format(Math.round(memory)));
        });
    }
}
