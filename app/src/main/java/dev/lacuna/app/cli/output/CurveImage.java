package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.report.Curve;
import dev.lacuna.core.history.timeline.MemorySeries;
import dev.lacuna.core.history.timeline.Timeline;
import java.awt.Color;
import java.awt.Font;
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
    private static final int HEIGHT = 520;

    // Room for what is written; the curve lies between.
    private static final int LEFT = 100;
    private static final int RIGHT = 24;
    private static final int HEAD = 44;
    private static final int FOOT = 40;
    private static final int ACROSS = WIDTH - LEFT - RIGHT;
    private static final int HIGH = HEIGHT - HEAD - FOOT;
    private static final int BOTTOM = HEIGHT - FOOT;

    private static final int GRID_LINES = 4;
    private static final int GAP = 8;
    private static final Font LETTERS = new Font(Font.SANS_SERIF, Font.PLAIN, 15);

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
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
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
        pen.fillRect(0, 0, WIDTH, HEIGHT);
        pen.setFont(LETTERS);
        Curve curve = Curve.of(timeline, 0, timeline.size(), ACROSS);
        area(pen, curve.heights(MemorySeries.RESERVED), RESERVED);
        area(pen, curve.heights(MemorySeries.ALLOCATED), ALLOCATED);
        for (int line = 0; line <= GRID_LINES; line++) {
            int y = BOTTOM - line * HIGH / GRID_LINES;
            pen.setColor(GRID);
            pen.drawLine(LEFT, y, LEFT + ACROSS, y);
            pen.setColor(INK);
            endAt(pen, ByteSize.format(curve.top() / GRID_LINES * line), LEFT - GAP, y + GAP / 2);
        }
        pen.setColor(ALARM);
        for (double x : curve.ooms()) {
            int column = LEFT + (int) Math.round(x * (ACROSS - 1));
            pen.drawLine(column, HEAD, column, BOTTOM);
        }
        legend(pen);
        pen.setColor(INK);
        pen.drawString(CliText.text("curve.event", 0), LEFT, HEIGHT - FOOT / 3);
        endAt(pen, CliText.text("curve.event", timeline.size()), LEFT + ACROSS, HEIGHT - FOOT / 3);
    }

    private static void legend(Graphics2D pen) {
        int at = entry(pen, LEFT, RESERVED, CliText.text("snapshot.reserved"));
        entry(pen, at, ALLOCATED, CliText.text("snapshot.allocated"));
    }

    private static int entry(Graphics2D pen, int x, Color colour, String name) {
        int side = LETTERS.getSize();
        int base = HEAD - 2 * GAP;
        pen.setColor(colour);
        pen.fillRect(x, base - side + 2, side, side);
        pen.setColor(INK);
        pen.drawString(name, x + side + GAP, base);
        return x + side + 3 * GAP + pen.getFontMetrics().stringWidth(name);
    }

    private static void endAt(Graphics2D pen, String text, int x, int y) {
        pen.drawString(text, x - pen.getFontMetrics().stringWidth(text), y);
    }

    private static void area(Graphics2D pen, double[] heights, Color colour) {
        pen.setColor(colour);
        for (int c = 0; c < heights.length; c++) {
            int left = LEFT + (int) ((long) c * ACROSS / heights.length);
            int right = LEFT + (int) ((long) (c + 1) * ACROSS / heights.length);
            int height = (int) Math.round(heights[c] * HIGH);
            pen.fillRect(left, BOTTOM - height, right - left, height);
        }
    }
}
