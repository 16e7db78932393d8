package dev.lacuna.core.allocator.packing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Columns that no block leaves, with the blocks in them: no other stretch has a say in how they are placed.
 *
 * @param columns how many
 * @param blocks their numbers in the whole
 * @param from first column of each block
 * @param until the column after its last
 * @param size in units
 */
record Stretch(int columns, int[] blocks, int[] from, int[] until, int[] size) {
    /** Cuts wherever no block lives on, the stretch with the fewest blocks first. */
    static List<Stretch> of(Cliques cliques, int[] size) {
        int[] across = new int[cliques.count + 1];
        for (int k = 0; k < size.length; k++) {
            across[cliques.from[k]]++;
            across[cliques.until[k] - 1]--;
        }
        List<Stretch> stretches = new ArrayList<>();
        int begin = 0;
        int open = 0;
        for (int c = 0; c < cliques.count; c++) {
            open += across[c];
            if (open == 0) {
                stretches.add(between(begin, c + 1, cliques, size));
                begin = c + 1;
            }
        }
        stretches.sort(Comparator.comparingInt(s -> s.blocks.length));
        return stretches;
    }

    /** The same with time running backwards. */
    Stretch reversed() {
        return new Stretch(
                columns,
                blocks,
                IntStream.of(until).map(c -> columns - c).toArray(),
                IntStream.of(from).map(c -> columns - c).toArray(),
                size);
    }

    private static Stretch between(int begin, int end, Cliques cliques, int[] size) {
        int[] rows = IntStream.range(0, size.length)
                .filter(k -> cliques.from[k] >= begin && cliques.from[k] < end)
                .toArray();
        return new Stretch(
                end - begin,
                IntStream.of(rows).map(k -> cliques.blocks[k]).toArray(),
                IntStream.of(rows).map(k -> cliques.from[k] - begin).toArray(),
                IntStream.of(rows).map(k -> cliques.until[k] - begin).toArray(),
                IntStream.of(rows).map(k -> size[k]).toArray());
    }
}
