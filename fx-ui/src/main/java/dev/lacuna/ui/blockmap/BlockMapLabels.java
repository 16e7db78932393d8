package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.text.ByteText;
import java.util.ArrayList;
import java.util.List;
import javafx.geometry.VPos;
import javafx.scene.Group;
import javafx.scene.text.Text;

/** Names beside the rows and sizes in the holes, as texts that are used again and again. */
final class BlockMapLabels {
    /** A line of text needs this many units of height. */
    private static final double LINE = 14;

    private static final double LOWEST_FOR_HOLE = 11;
    private static final double WIDEST_HOLE_TEXT = 62;
    private static final int MOST_LINES = 3;
    private static final int MOST_HOLES = 300;

    private final Group group = new Group();
    private final List<Text> texts = new ArrayList<>();
    private int used;
    private int sized;

    BlockMapLabels() {
        group.setManaged(false);
        group.setMouseTransparent(true);
    }

    Group node() {
        return group;
    }

    /** Names what is visible; positions of strips are divided by the pixel scale and moved right by the gutter. */
    void show(BlockMap map, List<Strip> strips, BlockText words, double gutter, double pixelScale, double width) {
        used = 0;
        sized = -1;
        for (Strip strip : strips) {
            double top = strip.top() / pixelScale;
            double height = strip.height() / pixelScale;
            if (gutter > 0) {
                name(words.segment(strip.segment()), top, height, gutter);
            }
            if (height >= LOWEST_FOR_HOLE) {
                holes(map, strip, gutter, pixelScale, width);
            }
        }
        for (int i = used; i < texts.size(); i++) {
            texts.get(i).setVisible(false);
        }
    }

    private void name(List<String> lines, double top, double height, double gutter) {
        int room = (int) Math.max(height >= LINE - 4 ? 1 : 0, Math.min(MOST_LINES, height / LINE));
        int shown = Math.min(room, lines.size());
        double y = top + (height - shown * LINE) / 2 + LINE / 2;
        for (int i = 0; i < shown; i++) {
            text(lines.get(i), i == 0 ? "row-name" : "row-figures", 0, y + i * LINE, gutter - 10);
        }
    }

    private void holes(BlockMap map, Strip strip, double gutter, double pixelScale, double width) {
        for (WideHole hole : WideHole.in(map, strip, WIDEST_HOLE_TEXT * pixelScale, MOST_HOLES)) {
            // A hole that runs over several lines is one hole, and has one size.
            if (hole.piece() != sized) {
                sized = hole.piece();
                double middle = gutter + hole.middle() / pixelScale;
                double y = (strip.top() + strip.height() / 2.0) / pixelScale;
                Text label = text(ByteText.of(map.bytes(hole.piece())), "hole-size", middle, y, width);
                label.setX(Math.round(middle - label.getLayoutBounds().getWidth() / 2));
            }
        }
    }

    private Text text(String words, String style, double x, double y, double widest) {
        if (used == texts.size()) {
            Text fresh = new Text();
            fresh.setTextOrigin(VPos.CENTER);
            texts.add(fresh);
            group.getChildren().add(fresh);
        }
        Text text = texts.get(used++);
        text.setVisible(true);
        if (!text.getStyleClass().contains(style)) {
            text.getStyleClass().setAll(style);
        }
        if (!text.getText().equals(words)) {
            text.setText(words);
            text.applyCss();
            if (text.getLayoutBounds().getWidth() > widest) {
                shorten(text, words, widest);
            }
        }
        text.setX(Math.round(x));
        text.setY(Math.round(y));
        return text;
    }

    private static void shorten(Text text, String words, double widest) {
        double share = widest / text.getLayoutBounds().getWidth();
        int keep = Math.max(1, (int) (words.length() * share) - 1);
        text.setText(words.substring(0, Math.min(keep, words.length())) + "…");
    }
}
