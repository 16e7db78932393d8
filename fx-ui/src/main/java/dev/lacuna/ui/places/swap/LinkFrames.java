package dev.lacuna.ui.places.swap;

import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Pictures of the link's use over time: what went out above the axis, what came back below, as shares of its rate. */
public final class LinkFrames {
    private static final Texts TEXTS = SwapText.TEXTS;
    private static final long MS = 1_000_000L;
    private static final long S = 1_000 * MS;

    /** Bars are no shorter: samples come every 50 ms. */
    private static final long[] WIDTHS = {100 * MS, 200 * MS, 500 * MS, S, 2 * S, 5 * S, 10 * S, 20 * S, 30 * S, 60 * S
    };

    private static final long[] TICKS = {5 * S, 10 * S, 20 * S, 60 * S, 120 * S, 300 * S, 600 * S};
    private static final int MOST_TICKS = 5;
    private static final double LOWEST_TOP = 0.01;
    private static final double LEAST_SHARE = 0.001;

    private final SwapHistory history;

    public LinkFrames(SwapHistory history) {
        this.history = history;
    }

    /** The newest stretch in at most so many bars; empty before anything was copied or seen. */
    public Optional<BarsFrame> newest(long spanNs, int mostBars) {
        OptionalDouble rate = history.measuredRate();
        Optional<TimeRange> extent = history.extent();
        if (rate.isEmpty() || extent.isEmpty()) {
            return Optional.empty();
        }
        long width = width(spanNs, mostBars);
        // Bars lie on multiples of their width: a moving picture shifts by whole bars, and none changes its height.
        long end = -Math.floorDiv(-extent.get().endNs(), width) * width;
        TimeRange range = new TimeRange(end - spanNs, end);
        List<BarsFrame.Bar> bars = bars(range, width, rate.getAsDouble(), extent.get());
        double top = bars.stream().mapToDouble(bar -> bar.up().get(0)).max().orElse(0);
        double bottom = bars.stream().mapToDouble(BarsFrame.Bar::down).max().orElse(0);
        double scale = BarsFrame.roundAtLeast(Math.max(LOWEST_TOP, Math.max(top, bottom)));
        return Optional.of(new BarsFrame(bars, scale, scale, levels(scale), places(spanNs), signs(range)));
    }

    /** When the i-th bar from the left of so many lies: what hovering tells. */
    static double secondsAgo(long spanNs, BarsFrame.Bar bar) {
        return (1 - bar.to()) * spanNs / 1e9;
    }

    static long width(long spanNs, int mostBars) {
        for (long width : WIDTHS) {
            if (spanNs / width <= mostBars) {
                return width;
            }
        }
        return WIDTHS[WIDTHS.length - 1];
    }

    private List<BarsFrame.Bar> bars(TimeRange range, long width, double rate, TimeRange extent) {
        TimeRange seen = new TimeRange(Math.max(range.startNs(), extent.startNs()), range.endNs());
        return LinkUse.within(history, rate, seen, width).stream()
                .map(use -> new BarsFrame.Bar(
                        Math.max(0, range.share(use.fromNs())),
                        range.share(use.toNs()),
                        List.of(use.outShare()),
                        use.inShare()))
                .toList();
    }

    private static List<BarsFrame.Tick> levels(double scale) {
        return List.of(
                new BarsFrame.Tick(scale, percent(scale)),
                new BarsFrame.Tick(scale / 2, ""),
                new BarsFrame.Tick(0, "0"),
                new BarsFrame.Tick(-scale / 2, ""),
                new BarsFrame.Tick(-scale, percent(scale)));
    }

    private List<BarsFrame.Tick> places(long spanNs) {
        long step = TICKS[TICKS.length - 1];
        for (int i = TICKS.length - 1; i >= 0 && spanNs / TICKS[i] <= MOST_TICKS; i--) {
            step = TICKS[i];
        }
        List<BarsFrame.Tick> places = new ArrayList<>();
        for (long age = 0; age <= spanNs; age += step) {
            places.add(new BarsFrame.Tick(1 - (double) age / spanNs, ageText(age)));
        }
        return places;
    }

    private String ageText(long age) {
        if (age == 0) {
            return TEXTS.get("chart.now");
        }
        return age % (60 * S) == 0
                ? TEXTS.get("chart.minutes.ago", Long.toString(age / (60 * S)))
                : TEXTS.get("chart.seconds.ago", Long.toString(age / S));
    }

    private List<BarsFrame.Sign> signs(TimeRange range) {
        return history.moments(range).stream()
                .map(m -> new BarsFrame.Sign(range.share(m.timeNs()), m.kind(), words(m)))
                .toList();
    }

    private String words(SwapHistory.Moment moment) {
        return switch (moment.kind()) {
            case MODE -> TEXTS.get("sign.mode." + SwapHistory.modeOf(moment).label());
            case BUDGET -> TEXTS.get("sign.budget", ByteText.of(moment.value()));
            case RESCUE, REFUSAL, FAILURE -> "";
        };
    }

    /** Such as {@code 50 %}, {@code 0.5 %} or {@code < 0.1 %}. */
    public static String percent(double share) {
        if (share > 0 && share < LEAST_SHARE) {
            return "< 0.1 %";
        }
        return String.format(Locale.ROOT, share >= 0.1 || share == 0 ? "%.0f %%" : "%.1f %%", share * 100);
    }
}
