package dev.lacuna.core.allocator.packing;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The time axis reduced to what matters for placement: the moments at which the set of living blocks is largest (the maximal
 * cliques of the interval graph), numbered in order. Block k lives in the cliques [{@code from[k]}, {@code until[k]}); two blocks share
 * a clique exactly when they live at the same time. Only blocks that need room have a row.
 */
final class Cliques {
    final int count;
    final int[] blocks;
    final int[] from;
    final int[] until;

    Cliques(Lifetimes lifetimes) {
        blocks = IntStream.range(0, lifetimes.count())
                .filter(lifetimes::needsRoom)
                .toArray();
        int n = blocks.length;
        from = new int[n];
        until = new int[n];
        Integer[] byBirth = IntStream.range(0, n).boxed().toArray(Integer[]::new);
        Integer[] byDeath = byBirth.clone();
        Arrays.sort(byBirth, (a, b) -> Long.compare(lifetimes.lower(blocks[a]), lifetimes.lower(blocks[b])));
        Arrays.sort(byDeath, (a, b) -> Long.compare(lifetimes.upper(blocks[a]), lifetimes.upper(blocks[b])));
        int clique = 0;
        int born = 0;
        for (int dead = 0; dead < n; ) {
            long death = lifetimes.upper(blocks[byDeath[dead]]);
            boolean grew = false;
            while (born < n && lifetimes.lower(blocks[byBirth[born]]) < death) {
                from[byBirth[born++]] = clique;
                grew = true;
            }
            // A set that only shrank since the last clique is part of it.
            clique += grew ? 1 : 0;
            until[byDeath[dead++]] = clique;
        }
        count = clique;
    }

    /** Bytes that live at once at the worst moment: no plan is lower. */
    static long maxLive(Lifetimes lifetimes) {
        Cliques cliques = new Cliques(lifetimes);
        long[] change = new long[cliques.count + 1];
        for (int k = 0; k < cliques.blocks.length; k++) {
            change[cliques.from[k]] += lifetimes.size(cliques.blocks[k]);
            change[cliques.until[k]] -= lifetimes.size(cliques.blocks[k]);
        }
        long live = 0;
        long most = 0;
        for (long c : change) {
            live += c;
            most = Math.max(most, live);
        }
        return most;
    }
}
