package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import java.awt.Color;
import java.util.List;
import java.util.stream.IntStream;

/** Stacked bars as a picture, a row each, all to one scale: what the window's lists of bars show, drawn without a screen. */
public final class BarsImage {
    /**
     * A row.
     *
     * @param name what it is
     * @param bytes of each part, in the order of the legend
     */
    public record Bar(String name, List<Long> bytes) {
        long total() {
            return bytes.stream().mapToLong(Long::longValue).sum();
        }
    }

    private BarsImage() {}

    /** @param parts what the colours mean */
    public static byte[] png(List<String> parts, List<Bar> bars) {
        Color[] colours =
                IntStream.range(0, parts.size()).mapToObj(ChartPaper::apart).toArray(Color[]::new);
        double most = Math.max(1, bars.stream().mapToLong(Bar::total).max().orElse(1));
        return ChartPaper.png(bars.size(), ChartPaper.BAR, paper -> {
            for (int i = 0; i < parts.size(); i++) {
                paper.entry(colours[i], parts.get(i));
            }
            for (int row = 0; row < bars.size(); row++) {
                Bar bar = bars.get(row);
                double[] shares =
                        bar.bytes().stream().mapToDouble(bytes -> bytes / most).toArray();
                paper.bar(row, bar.name(), shares, colours, ByteSize.format(bar.total()));
            }
        });
    }
}
