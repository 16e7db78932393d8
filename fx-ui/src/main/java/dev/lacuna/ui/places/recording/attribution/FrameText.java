package dev.lacuna.ui.places.recording.attribution;

import dev.lacuna.core.history.attribution.FrameTree;
import dev.lacuna.core.history.attribution.StackTree;
import dev.lacuna.core.history.attribution.TellingFrame;
import dev.lacuna.core.trace.snapshot.model.Frame;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How lines of call stacks are written. */
final class FrameText {
    private static final Texts TEXTS = Texts.of("who");

    /** A tooltip with more is a wall. */
    private static final int MOST_LINES = 24;

    /** Rows of one line. */
    static final double ROW_HEIGHT = 26;

    private FrameText() {}

    /** What the root is called; what has no recorded stack lies directly in it, and is told. */
    static String all(StackTree tree) {
        long unknown = tree.ownBytes(FrameTree.ROOT);
        return unknown == 0 ? TEXTS.get("flame.all") : TEXTS.get("flame.all.unknown", ByteText.of(unknown));
    }

    /** {@code function  file:12}, with the last name of the path. */
    static String brief(Frame frame) {
        return TellingFrame.text(frame);
    }

    /** The line of a stack that tells most; what to say where there is none. */
    static String telling(List<Frame> innermostFirst) {
        return TellingFrame.of(innermostFirst).map(FrameText::brief).orElseGet(() -> TEXTS.get("no.stack"));
    }

    /** What stands for an unbranched line: its frame that tells most, and how many others there are. */
    static String line(StackTree tree, int first, int last, boolean outermostFirst) {
        List<Frame> frames = tree.line(first, last);
        Optional<Frame> telling = TellingFrame.of(outermostFirst ? reversed(frames) : frames);
        return telling.map(FrameText::brief).orElse("");
    }

    /** All lines, for a tooltip; the middle of many is left out. */
    static String all(List<Frame> frames) {
        if (frames.size() <= MOST_LINES) {
            return frames.stream().map(FrameText::full).collect(Collectors.joining("\n"));
        }
        int half = MOST_LINES / 2;
        return all(frames.subList(0, half))
                + "\n" + TEXTS.get("more.frames", frames.size() - 2 * half) + "\n"
                + all(frames.subList(frames.size() - half, frames.size()));
    }

    private static String full(Frame frame) {
        return frame.file().isEmpty() ? frame.function() : frame.function() + "  " + place(frame);
    }

    private static String place(Frame frame) {
        return frame.line() > 0 ? frame.file() + ":" + frame.line() : frame.file();
    }

    static List<Frame> reversed(List<Frame> frames) {
        List<Frame> reversed = new ArrayList<>(frames);
        Collections.reverse(reversed);
        return reversed;
    }
}
