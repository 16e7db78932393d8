package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.chart.SheetColours;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The colours of a map of blocks, opaque {@code 0xAARRGGBB}. Never colour alone: pending blocks, holes and unknown memory are
 * hatched, each in its way.
 */
final class BlockPalette {
    /** Tones that blocks may have; what each stands for is decided by {@link BlockTones}. */
    static final int TONES = BlockTones.COUNT;

    /** What they are called in style sheets, behind {@code -blocks-}, in their order. */
    static final List<String> NAMES = names();

    private final int ground;
    private final int hole;
    private final int holeLine;
    private final int unknown;
    private final int largest;
    private final int accent;
    private final int ink;
    private final int[] tones;

    /** Colours in the order of {@link #NAMES}. */
    BlockPalette(int... colours) {
        ground = colours[0];
        hole = colours[1];
        holeLine = colours[2];
        unknown = colours[3];
        largest = colours[4];
        accent = colours[5];
        ink = colours[6];
        tones = Arrays.copyOfRange(colours, 7, 7 + TONES);
    }

    /** The same as the style sheets give them. */
    static BlockPalette of(SheetColours colours) {
        return new BlockPalette(colours.argb(0, NAMES.size()));
    }

    /** Between rows, and the lines between blocks. */
    int ground() {
        return ground;
    }

    /** Behind the hatching of holes. */
    int hole() {
        return hole;
    }

    /** The hatching of holes. */
    int holeLine() {
        return holeLine;
    }

    /** What nobody saw. */
    int unknown() {
        return unknown;
    }

    /** Frame of the largest hole. */
    int largest() {
        return largest;
    }

    /** Frame of what is selected. */
    int accent() {
        return accent;
    }

    /** Frame of what the pointer is on. */
    int ink() {
        return ink;
    }

    int tone(int index) {
        return tones[index];
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(List.of(
                "ground",
                "hole",
                "hole-line",
                "unknown",
                "largest",
                "accent",
                "ink",
                "allocated",
                "long",
                "short",
                "plain"));
        for (String scale : List.of("category-", "step-")) {
            for (int i = 1; i <= BlockTones.SCALE; i++) {
                names.add(scale + i);
            }
        }
        return List.copyOf(names);
    }
}
