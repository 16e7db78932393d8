package dev.lacuna.app.cli.output;

import dev.lacuna.ui.chart.TimeRange;
import dev.lacuna.ui.places.swap.BarsFrame;
import dev.lacuna.ui.places.swap.LinkFrames;
import dev.lacuna.ui.places.swap.StepCopies;
import dev.lacuna.ui.places.swap.SwapHistory;
import java.awt.Color;
import java.util.Optional;

/** What the window draws of the link to the host, without a screen: what went out above the axis, what came back below it. */
public final class LinkImage {
    private static final int MOST_BARS = 360;
    private static final Color OUT = ChartPaper.apart(0);
    private static final Color IN = ChartPaper.apart(1);
    private static final Color RESCUE = ChartPaper.apart(3);

    private LinkImage() {}

    /** All that is kept of a device. */
    public static byte[] png(String device, SwapHistory history) {
        long spanNs = history.extent().map(TimeRange::spanNs).orElse(1L);
        Optional<BarsFrame> frame = new LinkFrames(history).newest(spanNs, MOST_BARS);
        return ChartPaper.png(paper -> {
            paper.grid(line -> frame.map(
                            f -> f.levels().get(ChartPaper.GRID_LINES - line).words())
                    .orElse(""));
            frame.ifPresent(f -> draw(paper, f));
            paper.entry(OUT, device + " " + CliText.text("watch.swap.out"));
            paper.entry(IN, CliText.text("watch.swap.in"));
            paper.entry(RESCUE, CliText.text("watch.swap.rescue"));
            paper.entry(ChartPaper.ALARM, CliText.text("watch.swap.trouble"));
            String copies = StepCopies.of(history).map(StepCopies::sentence).orElse("");
            paper.below(CliText.text("curve.seconds", 0) + "   " + copies, CliText.text("curve.seconds", spanNs / 1e9));
        });
    }

    private static void draw(ChartPaper paper, BarsFrame frame) {
        for (BarsFrame.Bar bar : frame.bars()) {
            paper.mirrored(
                    bar.from(),
                    Math.min(1, bar.to()),
                    bar.up().get(0) / frame.top(),
                    OUT,
                    bar.down() / frame.bottom(),
                    IN);
        }
        for (BarsFrame.Sign sign : frame.signs()) {
            switch (sign.kind()) {
                case RESCUE -> paper.mark(sign.at(), RESCUE);
                case REFUSAL, FAILURE -> paper.alarm(sign.at());
                case MODE, BUDGET -> {} // Somebody's doing, no event of the link.
            }
        }
    }
}
