package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.Curve;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/** The curve of the reports as a picture, drawn without a screen. Each column shows its highest value: no peak is lost. */
public final class CurveImage {
    private static final int WIDTH = 1600;
    private static final int HEIGHT = 480;
    private static final int FOOT = 28;
    private static final int GRID_LINES = 4;

    // The colours of the reports.
    private static final Color GROUND = new Color(0xFFFFFF);
    private static final Color RESERVED = new Color(0xF2C078);
    private static final Color ALLOCATED = new Color(0x2A6FBB);
    private static final Color GRID = new Color(0xD0D4DA);
    private static final Color ALARM = new Color(0xC62828);
    private static final Color INK = new Color(0x333333);

    private CurveImage() {}

    /** The whole recording of a device. */
    public static byte[] png(Timeline timeline) {
        // No screen is needed, nor looked for.
        System.setProperty("java.awt.headless", "true");
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT + FOOT, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        draw(pen, timeline);
        pen.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void draw(Graphics2D pen, Timeline timeline) {
        pen.setColor(GROUND);
        pen.fillRect(0, 0, WIDTH, HEIGHT + FOOT);
        Curve curve = Curve.of(timeline, 0, timeline.size(), WIDTH);
        area(pen, curve.heights(MemorySeries.RESERVED), RESERVED);
        area(pen, curve.heights(MemorySeries.ALLOCATED), ALLOCATED);
        for (int line = 0; line <= GRID_LINES; line++) {
            int y = HEIGHT - line * HEIGHT / GRID_LINES;
            pen.setColor(GRID);
            pen.drawLine(0, y, WIDTH, y);
            pen.setColor(INK);
            pen.drawString(ByteSize.format(curve.top() / GRID_LINES * line), 4, line == GRID_LINES ? 14 : y - 4);
        }
        pen.setColor(ALARM);
        for (double x : curve.ooms()) {
            int column = (int) Math.round(x * (WIDTH - 1));
            pen.drawLine(column, 0, column, HEIGHT);
        }
        pen.setColor(INK);
        pen.drawString("0", 2, HEIGHT + FOOT - 10);
        String end = Integer.toString(timeline.size());
        pen.drawString(end, WIDTH - pen.getFontMetrics().stringWidth(end) - 2, HEIGHT + FOOT - 10);
    }

    private static void area(Graphics2D pen, double[] heights, Color colour) {
        pen.setColor(colour);
        for (int c = 0; c < heights.length; c++) {
            int left = (int) ((long) c * WIDTH / heights.length);
            int right = (int) ((long) (c + 1) * WIDTH / heights.length);
            int height = (int) Math.round(heights[c] * HEIGHT);
            pen.fillRect(left, HEIGHT - height, right - left, height);
        }
    }
}
