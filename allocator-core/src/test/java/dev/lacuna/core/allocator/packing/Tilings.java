package dev.lacuna.core.allocator.packing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Hard instances whose optimum is known: a rectangle of time × {@link #CAPACITY} cut by guillotine, some small pieces dropped. */
final class Tilings {
    static final long UNIT = 1024;
    static final long CAPACITY = 1024 * UNIT;
    private static final int TIME = 1024;

    private record Piece(int left, int right, int bottom, int top) {
        long area() {
            return (long) (right - left) * (top - bottom);
        }
    }

    private Tilings() {}

    /** Cuts into {@code pieces}, each the largest of a few; then drops this share of the pieces below 150 units. */
    static Lifetimes of(int pieces, double dropped, long seed) {
        Random random = new Random(seed);
        List<Piece> rectangle = new ArrayList<>(List.of(new Piece(0, TIME, 0, 1024)));
        while (rectangle.size() < pieces) {
            cut(rectangle, random);
        }
        rectangle.removeIf(p -> p.top - p.bottom < 150 && random.nextDouble() < dropped);
        Collections.shuffle(rectangle, random);
        Lifetimes.Builder blocks = Lifetimes.builder();
        rectangle.forEach(p -> blocks.add(p.left, p.right, (p.top - p.bottom) * UNIT));
        return blocks.build();
    }

    private static void cut(List<Piece> pieces, Random random) {
        int chosen = random.nextInt(pieces.size());
        for (int i = 0; i < 3; i++) {
            int other = random.nextInt(pieces.size());
            chosen = pieces.get(other).area() > pieces.get(chosen).area() ? other : chosen;
        }
        Piece p = pieces.get(chosen);
        // Moments of birth and death coincide in graphs: cuts in time lie on a grid of eight.
        int moments = (p.right - p.left) / 8;
        if (random.nextBoolean() && moments >= 2) {
            int at = p.left + 8 * (1 + random.nextInt(moments - 1));
            pieces.set(chosen, new Piece(p.left, at, p.bottom, p.top));
            pieces.add(new Piece(at, p.right, p.bottom, p.top));
        } else if (p.top - p.bottom >= 16) {
            int at = p.bottom + 8 + random.nextInt(p.top - p.bottom - 15);
            pieces.set(chosen, new Piece(p.left, p.right, p.bottom, at));
            pieces.add(new Piece(p.left, p.right, at, p.top));
        }
    }
}
