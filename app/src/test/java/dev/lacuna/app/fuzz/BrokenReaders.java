package dev.lacuna.app.fuzz;

import java.util.List;

/** Readers with the faults that are looked for: whatever they are given, the run has to say so. */
final class BrokenReaders {
    private BrokenReaders() {}

    static List<Reader> all() {
        List<byte[]> seeds = List.of(new byte[] {'a'});
        return List.of(
                new Reader(Readers.BROKEN + "by recursion", seeds, input -> "depth " + depth(1)),
                new Reader(Readers.BROKEN + "by a loop", seeds, BrokenReaders::forEver),
                new Reader(Readers.BROKEN + "by memory", seeds, input -> "length " + new byte[1 << 30].length),
                new Reader(Readers.BROKEN + "by an exception", seeds, input -> {
                    throw new IllegalStateException("unexpected");
                }));
    }

    private static int depth(int above) {
        return above == 0 ? 0 : 1 + depth(above + 1);
    }

    private static String forEver(byte[] input) {
        long sum = 0;
        while (sum >= 0) {
            sum = (sum + input.length) & Integer.MAX_VALUE;
        }
        return "sum " + sum;
    }
}
