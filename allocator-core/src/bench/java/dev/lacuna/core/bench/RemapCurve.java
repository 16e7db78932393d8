package dev.lacuna.core.bench;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import dev.lacuna.core.trace.model.AllocationTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws, as SVG, the chunks that {@code segregated} moves in a step against the capacity it is given: what coming closer to
 * the peak allocated costs. Sizes are those of a GPU: CPU traces at scale 64, CUDA traces as recorded.
 */
final class RemapCurve {
    private static final long AMPLE = 1L << 40;
    private static final double FIRST = 1.002;
    private static final double LAST = 1.1;
    private static final double APART = 0.004;

    /** The recorder of the CUDA traces ran 12 steps and marked none. */
    private static final long UNMARKED_STEPS = 12;

    /** Chunks that may move in a step of 400 ms at the published 75 µs each before that takes 1 % and 2 % of it. */
    private static final Map<String, Double> BUDGETS = Map.of("1 % of 400 ms", 53.3, "2 %", 106.7);

    private static final int LEFT = 70;
    private static final int TOP = 20;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 320;
    private static final double MOST = 1000;
    private static final List<String> COLOURS =
            List.of("#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#a463f2", "#97bbf5", "#9c6b4e");

    private final AllocatorPolicy policy = AllocatorPolicies.named("segregated").orElseThrow();
    private final StringBuilder svg = new StringBuilder();

    /** Writes the picture. */
    void draw(Map<String, AllocationTrace> traces, Path file) throws IOException {
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 940 400\" font-family=\"sans-serif\""
                + " font-size=\"12\"><rect width=\"940\" height=\"400\" fill=\"#ffffff\"/>\n");
        axes();
        int number = 0;
        for (Map.Entry<String, AllocationTrace> trace : traces.entrySet()) {
            long scale = trace.getKey().startsWith("cpu") ? 64 : 1;
            curve(number++, trace.getKey() + (scale > 1 ? " ×" + scale : ""), trace.getValue(), scale);
        }
        Files.writeString(file, svg.append("</svg>\n"));
    }

    private void curve(int number, String name, AllocationTrace trace, long scale) throws IOException {
        ReplaySettings settings = ReplaySettings.RECORDED.scaledBy(scale);
        long peak = new Replay(trace, settings.capacity(AMPLE))
                .run(AllocatorPolicies.named("caching").orElseThrow())
                .peakAllocatedBytes();
        List<String> points = new ArrayList<>();
        for (double capacity = FIRST; capacity <= LAST; capacity += APART) {
            ReplayResult result =
                    new Replay(trace, settings.capacity((long) (capacity * peak))).run(policy);
            if (result.ooms() == 0) {
                long steps = result.steps() > 0 ? result.steps() : UNMARKED_STEPS;
                points.add(text("%.1f,%.1f", x(capacity), y((double) result.remaps() / steps)));
            }
        }
        String colour = COLOURS.get(number % COLOURS.size());
        line("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>", colour, String.join(" ", points));
        int at = TOP + 20 * number;
        line("<rect x=\"730\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>", at + 4, colour);
        line("<text x=\"750\" y=\"%d\">%s</text>", at + 10, name);
    }

    private void axes() {
        for (double moved : new double[] {0, 1, 10, 100, 1000}) {
            line(
                    "<path d=\"M%d %.1fh%d\" stroke=\"#dddddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>",
                    LEFT, y(moved), WIDTH, LEFT - 8, y(moved) + 4, moved);
        }
        for (double capacity = 1; capacity < LAST + APART; capacity += 0.02) {
            line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.2f</text>", x(capacity), TOP + HEIGHT + 18, capacity);
        }
        BUDGETS.forEach((name, moved) -> line(
                "<path d=\"M%d %.1fh%d\" stroke=\"#888888\" stroke-dasharray=\"4 4\"/><text x=\"%d\" y=\"%.1f\""
                        + " text-anchor=\"end\" fill=\"#555555\">%s</text>",
                LEFT, y(moved), WIDTH, LEFT + WIDTH, y(moved) - 4, name));
        line("<text x=\"%d\" y=\"%d\">capacity, as a multiple of the peak allocated</text>", LEFT + 180, TOP + HEIGHT + 40);
        line("<text transform=\"translate(18 %d) rotate(-90)\">chunks of 2 MiB moved per step</text>", TOP + HEIGHT - 60);
    }

    private static double x(double capacity) {
        return LEFT + (capacity - 1) / (LAST - 1) * WIDTH;
    }

    /** Logarithmic in moved + 1, so that none has a place too. */
    private static double y(double moved) {
        return TOP + HEIGHT * (1 - Math.log1p(Math.min(moved, MOST)) / Math.log1p(MOST));
    }

    private void line(String format, Object... values) {
        svg.append(text(format, values)).append('\n');
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
