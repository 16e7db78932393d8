package dev.lacuna.app.cli.output;

import dev.lacuna.ui.chart.Pixels;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** What every picture of a chart is drawn on, without a screen: a frame with grid, legend and what stands below. Heights and widths are shares. */
public final class ChartPaper {
    private static final int WIDTH = 1600;
    private static final int HEIGHT = 520;

    // Room for what is written; the chart lies between.
    private static final int LEFT = 100;
    private static final int RIGHT = 24;
    private static final int HEAD = 44;
    private static final int FOOT = 40;
    private static final int HIGH = HEIGHT - HEAD - FOOT;
    private static final int BOTTOM = HEIGHT - FOOT;

    /** Columns of pixels that a chart has. */
    static final int ACROSS = WIDTH - LEFT - RIGHT;

    /** Lines above the lowest. */
    static final int GRID_LINES = 4;

    // What is drawn in rows.
    static final int BOX = 22;
    static final int BAR = 24;
    static final int BOXES = WIDTH - 16;

    /** Room for a line of words. */
    static final int LINE = 24;

    /** The side of a sample of a colour in the legend. */
    static final int SWATCH = 15;

    private static final int BARS = 320;
    private static final int BAR_ROOM = WIDTH - BARS - 160;
    private static final int MOST_PIXELS = 16_000;

    private static final int GAP = 8;
    private static final int DOT = 7;
    private static final float STROKE = 2;
    private static final Font LETTERS = new Font(Font.SANS_SERIF, Font.PLAIN, 15);

    // The colours of the reports. Of lines the first seven are those that colour-blind eyes tell apart (Okabe and Ito),
    // then Tol's muted ones.
    static final Color RESERVED = new Color(0xF2C078);
    static final Color ALLOCATED = new Color(0x2A6FBB);
    static final Color ALARM = new Color(0xC62828);
    private static final Color GROUND = new Color(0xFFFFFF);
    private static final Color GRID = new Color(0xD0D4DA);
    private static final Color INK = new Color(0x333333);
    private static final int[] APART = {
        0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000,
        0x332288, 0x882255, 0x999933, 0x117733, 0xAA4499, 0x44AA99, 0x661100
    };

    private final Graphics2D pen;
    private int legend = LEFT;

    private ChartPaper(Graphics2D pen) {
        this.pen = pen;
    }

    /** What is drawn, as a file. */
    static byte[] png(Consumer<ChartPaper> drawing) {
        return png(HEIGHT, drawing);
    }

    /** As many rows as are drawn, one below the other, as a file. */
    static byte[] png(int rows, int rowHeight, Consumer<ChartPaper> drawing) {
        return png(HEAD + Math.min(rows, MOST_PIXELS / rowHeight) * rowHeight + GAP, drawing);
    }

    private static byte[] png(int height, Consumer<ChartPaper> drawing) {
        // No screen is needed, nor looked for.
        System.setProperty("java.awt.headless", "true");
        BufferedImage image = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        pen.setColor(GROUND);
        pen.fillRect(0, 0, WIDTH, height);
        pen.setFont(LETTERS);
        pen.setStroke(new BasicStroke(STROKE));
        drawing.accept(new ChartPaper(pen));
        pen.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // In memory: a file beside it would want a shutdown hook of its own, which Ctrl-C has no room for, and a disk.
        try (ImageOutputStream written = new MemoryCacheImageOutputStream(out)) {
            ImageIO.write(image, "png", written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** The colour of the i-th of several lines; more than there are colours begin again. */
    static Color apart(int i) {
        return new Color(APART[i % APART.length]);
    }

    /** @param figures what is written beside each line, from 0, the lowest */
    void grid(IntFunction<String> figures) {
        for (int line = 0; line <= GRID_LINES; line++) {
            int y = BOTTOM - line * HIGH / GRID_LINES;
            pen.setColor(GRID);
            pen.drawLine(LEFT, y, LEFT + ACROSS, y);
            pen.setColor(INK);
            endAt(figures.apply(line), LEFT - GAP, y + GAP / 2);
        }
    }

    /** Below the chart. */
    void below(String left, String right) {
        pen.setColor(INK);
        pen.drawString(left, LEFT, HEIGHT - FOOT / 3);
        endAt(right, LEFT + ACROSS, HEIGHT - FOOT / 3);
    }

    /** Another entry of the legend, as far as there is room. */
    void entry(Color colour, String name) {
        BufferedImage swatch = new BufferedImage(SWATCH, SWATCH, BufferedImage.TYPE_INT_RGB);
        Graphics2D brush = swatch.createGraphics();
        brush.setColor(colour);
        brush.fillRect(0, 0, SWATCH, SWATCH);
        brush.dispose();
        entry(swatch, name);
    }

    /** Another entry of the legend, its swatch a picture; without a name it stands close to the next. */
    void entry(Pixels swatch, String name) {
        entry(image(swatch), name);
    }

    private void entry(BufferedImage swatch, String name) {
        int base = HEAD - 2 * GAP;
        int words = name.isEmpty() ? 0 : 2 * GAP + pen.getFontMetrics().stringWidth(name);
        int end = legend + SWATCH + GAP + words;
        if (end > WIDTH) {
            return;
        }
        pen.drawImage(swatch, legend, base - SWATCH + 2, null);
        pen.setColor(INK);
        pen.drawString(name, legend + SWATCH + GAP, base);
        legend = end;
    }

    private static BufferedImage image(Pixels pixels) {
        BufferedImage image = new BufferedImage(pixels.width(), pixels.height(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < pixels.height(); y++) {
            for (int x = 0; x < pixels.width(); x++) {
                image.setRGB(x, y, pixels.at(x, y));
            }
        }
        return image;
    }

    /** A picture within this one, under the legend and with so much room to its left. */
    void picture(Pixels pixels, int left) {
        pen.drawImage(image(pixels), GAP + left, HEAD, null);
    }

    /** Words in the middle of a stretch of a picture within this one; tops are counted from it. */
    void label(String words, int middle, int top, int height) {
        pen.setColor(INK);
        int half = pen.getFontMetrics().stringWidth(words) / 2;
        pen.drawString(words, GAP + middle - half, HEAD + top + (height + LETTERS.getSize()) / 2 - 2);
    }

    /** Lines of words beside a row of a picture, as many as there is room for. */
    void names(List<String> lines, int top, int height, int wide) {
        int shown = Math.min(lines.size(), height / LETTERS.getSize());
        int y = HEAD + top + (height - shown * LETTERS.getSize()) / 2;
        pen.setColor(INK);
        for (String line : lines.subList(0, shown)) {
            y += LETTERS.getSize();
            pen.drawString(fitted(line, wide - 2 * GAP), GAP, y - 2);
        }
    }

    /** A line of words under a picture of this height. */
    void caption(String words, int height) {
        pen.setColor(INK);
        pen.drawString(words, GAP, HEAD + height + LINE - GAP / 2);
    }

    /** Columns of these heights, filled. */
    void area(double[] heights, Color colour) {
        pen.setColor(colour);
        for (int c = 0; c < heights.length; c++) {
            int left = LEFT + (int) ((long) c * ACROSS / heights.length);
            int right = LEFT + (int) ((long) (c + 1) * ACROSS / heights.length);
            int height = (int) Math.round(heights[c] * HIGH);
            pen.fillRect(left, BOTTOM - height, right - left, height);
        }
    }

    /** The upper edge of columns of these heights. */
    void steps(double[] heights, Color colour) {
        pen.setColor(colour);
        for (int c = 0; c < heights.length; c++) {
            int right = x((c + 1.0) / heights.length);
            pen.drawLine(x((double) c / heights.length), y(heights[c]), right, y(heights[c]));
            if (c + 1 < heights.length) {
                pen.drawLine(right, y(heights[c]), right, y(heights[c + 1]));
            }
        }
    }

    /** A dot at each, and a line to the next. */
    void dots(double[] across, double[] heights, Color colour) {
        pen.setColor(colour);
        for (int i = 0; i < across.length; i++) {
            if (i > 0) {
                pen.drawLine(x(across[i - 1]), y(heights[i - 1]), x(across[i]), y(heights[i]));
            }
            pen.fillOval(x(across[i]) - DOT / 2, y(heights[i]) - DOT / 2, DOT, DOT);
        }
    }

    /** A box of a row, with as much of its name as fits. */
    void box(double left, double width, int row, Color colour, String name) {
        int x = GAP + (int) Math.round(left);
        int y = HEAD + row * BOX;
        int wide = Math.max(1, (int) Math.round(left + width) + GAP - x - 1);
        pen.setColor(colour);
        pen.fillRect(x, y, wide, BOX - 1);
        pen.setColor(INK);
        pen.drawString(fitted(name, wide - GAP), x + GAP / 2, y + BOX - GAP + 1);
    }

    private String fitted(String name, int wide) {
        int fits = name.length();
        while (fits > 0 && pen.getFontMetrics().stringWidth(name.substring(0, fits)) > wide) {
            fits--;
        }
        return name.substring(0, fits);
    }

    /** A name, what it has of each part from left to right, and a figure behind it. */
    void bar(int row, String name, double[] shares, Color[] colours, String figure) {
        int y = HEAD + row * BAR;
        pen.setColor(INK);
        endAt(fitted(name, BARS - 2 * GAP), BARS - GAP, y + BAR - GAP);
        double from = 0;
        for (int i = 0; i < shares.length; i++) {
            int x = BARS + (int) Math.round(from * BAR_ROOM);
            from += shares[i];
            pen.setColor(colours[i]);
            pen.fillRect(x, y + 2, BARS + (int) Math.round(from * BAR_ROOM) - x, BAR - GAP / 2);
        }
        pen.setColor(INK);
        pen.drawString(figure, BARS + (int) Math.round(from * BAR_ROOM) + GAP, y + BAR - GAP);
    }

    /** A failure. */
    void alarm(double across) {
        mark(across, ALARM);
    }

    /** A moment. */
    void mark(double across, Color colour) {
        pen.setColor(colour);
        pen.fillRect(x(across), HEAD, 1, HIGH);
    }

    /** A bar from the middle of the chart upwards and one downwards; their heights are shares of half of it. */
    void mirrored(double from, double to, double up, Color above, double down, Color below) {
        int middle = BOTTOM - HIGH / 2;
        int wide = Math.max(1, x(to) - x(from));
        int high = (int) Math.round(up * HIGH / 2);
        pen.setColor(above);
        pen.fillRect(x(from), middle - high, wide, high);
        pen.setColor(below);
        pen.fillRect(x(from), middle, wide, (int) Math.round(down * HIGH / 2));
    }

    private static int x(double across) {
        return LEFT + (int) Math.round(across * (ACROSS - 1));
    }

    private static int y(double height) {
        return BOTTOM - (int) Math.round(height * HIGH);
    }

    private void endAt(String text, int x, int y) {
        pen.drawString(text, x - pen.getFontMetrics().stringWidth(text), y);
    }
}
