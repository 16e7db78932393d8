package dev.lacuna.app.cli.output;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.history.attribution.FlameLayout;
import dev.lacuna.core.history.attribution.FlameLayout.Box;
import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.awt.Color;
import java.util.Optional;

/** The window's flame graph as a picture: the same boxes, drawn without a screen. */
public final class FlameImage {
    private static final double NARROWEST = 2;
    private static final Color LIBRARY = new Color(0xC9CED6);
    private static final Color OTHERS = new Color(0xE4E7EB);

    /** Light enough for dark letters. */
    private static final Color[] HUES = {
        new Color(0x9CC9E8),
        new Color(0xF2B98A),
        new Color(0x8FD3BD),
        new Color(0xE3B4CF),
        new Color(0xF0D080),
        new Color(0xB9BDE8)
    };

    private FlameImage() {}

    /** All of a tree. */
    public static byte[] png(StackTree tree) {
        FlameLayout layout = FlameLayout.of(tree, FrameTree.ROOT, ChartPaper.BOXES, NARROWEST);
        return ChartPaper.png(
                layout.rows(),
                ChartPaper.BOX,
                paper -> layout.boxes()
                        .forEach(
                                box -> paper.box(box.x(), box.width(), box.row(), colour(tree, box), name(tree, box))));
    }

    private static Color colour(StackTree tree, Box box) {
        if (box.isOthers()) {
            return OTHERS;
        }
        Optional<Frame> frame = FlameLayout.telling(tree, box);
        return frame.map(f -> FlameLayout.hue(f, HUES.length))
                .filter(hue -> hue.isPresent())
                .map(hue -> HUES[hue.getAsInt()])
                .orElse(LIBRARY);
    }

    private static String name(StackTree tree, Box box) {
        String bytes = ByteSize.format(box.bytes());
        if (box.isOthers()) {
            return CliText.text("flame.others", box.nodes(), bytes);
        }
        return FlameLayout.telling(tree, box).map(TellingFrame::text).orElseGet(() -> CliText.text("flame.all")) + "   "
                + bytes;
    }
}
