package dev.lacuna.core.planning.swap.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tensors cut into pieces that move on their own, as pages do: memory comes free while a large tensor is still leaving.
 * Kernels are counted on from step to step: kernel k of step i has the number i·n + k.
 */
final class SwapPieces {
    /** Fine enough to keep the device full to a thousandth, coarse enough for a few thousand pieces. */
    private static final long PIECE = 48_000_000;
    /** Larger tensors are cut into this many pieces at most. */
    private static final int MOST_PIECES = 256;

    static final int NEVER = Integer.MAX_VALUE;

    final int kernels;
    final int count;
    final long[] bytes;
    final boolean[] global;
    final int[] tensorOf;
    /** Per piece the kernels of one step that use it, in order. */
    final int[][] uses;
    /** Per kernel the pieces that it uses. */
    final int[][] usedBy;
    /** Bytes of all tensors that live during a kernel. */
    final long[] live;

    SwapPieces(KernelTrace trace) {
        kernels = trace.kernels().size();
        int[][] tensorUses = tensorUses(trace);
        List<Integer> owners = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        for (int t = 0; t < tensorUses.length; t++) {
            if (tensorUses[t].length > 0) {
                cut(t, trace.tensors().get(t).bytes(), owners, sizes);
            }
        }
        count = sizes.size();
        bytes = sizes.stream().mapToLong(Long::longValue).toArray();
        tensorOf = owners.stream().mapToInt(Integer::intValue).toArray();
        global = new boolean[count];
        uses = new int[count][];
        live = new long[kernels];
        int[] perKernel = new int[kernels];
        for (int p = 0; p < count; p++) {
            global[p] = trace.tensors().get(tensorOf[p]).global();
            uses[p] = tensorUses[tensorOf[p]];
            for (int use : uses[p]) {
                perKernel[use]++;
            }
            int from = global[p] ? 0 : uses[p][0];
            int to = global[p] ? kernels - 1 : uses[p][uses[p].length - 1];
            for (int k = from; k <= to; k++) {
                live[k] += bytes[p];
            }
        }
        usedBy = new int[kernels][];
        for (int k = 0; k < kernels; k++) {
            usedBy[k] = new int[perKernel[k]];
        }
        for (int p = 0; p < count; p++) {
            for (int use : uses[p]) {
                usedBy[use][--perKernel[use]] = p;
            }
        }
    }

    private static int[][] tensorUses(KernelTrace trace) {
        int[][] uses = new int[trace.tensors().size()][0];
        for (int k = 0; k < trace.kernels().size(); k++) {
            for (int t : trace.kernels().get(k).tensors()) {
                uses[t] = Arrays.copyOf(uses[t], uses[t].length + 1);
                uses[t][uses[t].length - 1] = k;
            }
        }
        return uses;
    }

    private static void cut(int tensor, long size, List<Integer> owners, List<Long> sizes) {
        int parts = (int) Math.max(1, Math.min(MOST_PIECES, (size + PIECE - 1) / PIECE));
        for (int i = 0; i < parts; i++) {
            owners.add(tensor);
            sizes.add(size * (i + 1) / parts - size * i / parts);
        }
    }

    /** The first kernel from {@code number} on that uses the piece; {@link #NEVER} when it dies before. */
    int nextUse(int piece, int number) {
        int step = number / kernels;
        int[] own = uses[piece];
        int at = Arrays.binarySearch(own, number % kernels);
        at = at < 0 ? -at - 1 : at;
        if (at < own.length) {
            return step * kernels + own[at];
        }
        return global[piece] ? (step + 1) * kernels + own[0] : NEVER;
    }

    int firstUse(int piece) {
        return uses[piece][0];
    }

    int lastUse(int piece) {
        return uses[piece][uses[piece].length - 1];
    }
}
