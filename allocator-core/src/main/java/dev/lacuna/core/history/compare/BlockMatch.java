package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The leak finder: which live blocks two sides have in common. Two moments of one recording share the blocks that live at
 * both. Blocks of two recordings have no identity; they match in pairs of equal stack and equal size. Immutable.
 */
public final class BlockMatch {
    private final Side a;
    private final Side b;
    private final int[] onlyA;
    private final int[] both;
    private final int[] onlyB;

    private BlockMatch(Side a, Side b, int[] onlyA, int[] both, int[] onlyB) {
        this.a = a;
        this.b = b;
        this.onlyA = onlyA;
        this.both = both;
        this.onlyB = onlyB;
    }

    static BlockMatch of(Side a, Side b, CommonStacks stacks) {
        return a.history() == b.history() ? byIdentity(a, b) : byLikeness(a, b, stacks);
    }

    /** Live blocks of the base that the other side lacks; numbers of the base's history. */
    public int[] onlyA() {
        return onlyA.clone();
    }

    /** Live blocks of both; numbers of the other side's history. */
    public int[] both() {
        return both.clone();
    }

    /** Live blocks of the other side that the base lacks; numbers of the other side's history. */
    public int[] onlyB() {
        return onlyB.clone();
    }

    /** Bytes and number of what only the base has. */
    public Held heldOnlyA() {
        return held(a.history(), onlyA);
    }

    /** Bytes and number of what both have. */
    public Held heldBoth() {
        return held(b.history(), both);
    }

    /** Bytes and number of what only the other side has. */
    public Held heldOnlyB() {
        return held(b.history(), onlyB);
    }

    private static BlockMatch byIdentity(Side a, Side b) {
        DeviceHistory history = a.history();
        BitSet onlyA = new BitSet();
        BitSet both = new BitSet();
        BitSet onlyB = new BitSet();
        for (int i = 0; i < history.allocations(); i++) {
            boolean inA = HeldByTrainer.isLive(history, i, a.moment());
            boolean inB = HeldByTrainer.isLive(history, i, b.moment());
            if (inA || inB) {
                (inA && inB ? both : inA ? onlyA : onlyB).set(i);
            }
        }
        return new BlockMatch(a, b, numbers(onlyA), numbers(both), numbers(onlyB));
    }

    private record Likeness(int stack, long bytes) {}

    private static BlockMatch byLikeness(Side a, Side b, CommonStacks stacks) {
        Map<Likeness, Integer> inB = new HashMap<>();
        HeldByTrainer.forEach(b.history(), b.moment(), i -> inB.merge(likenessB(b, stacks, i), 1, Integer::sum));
        BitSet onlyA = new BitSet();
        Map<Likeness, Integer> shared = new HashMap<>();
        HeldByTrainer.forEach(a.history(), a.moment(), i -> {
            Likeness key = new Likeness(
                    stacks.ofA(StackBytes.stackOf(a.history(), i)), a.history().bytesOf(i));
            if (shared.getOrDefault(key, 0) < inB.getOrDefault(key, 0)) {
                shared.merge(key, 1, Integer::sum);
            } else {
                onlyA.set(i);
            }
        });
        BitSet both = new BitSet();
        BitSet onlyB = new BitSet();
        HeldByTrainer.forEach(b.history(), b.moment(), i -> {
            int left = shared.getOrDefault(likenessB(b, stacks, i), 0);
            if (left > 0) {
                shared.put(likenessB(b, stacks, i), left - 1);
            }
            (left > 0 ? both : onlyB).set(i);
        });
        return new BlockMatch(a, b, numbers(onlyA), numbers(both), numbers(onlyB));
    }

    private static Likeness likenessB(Side b, CommonStacks stacks, int i) {
        return new Likeness(
                stacks.ofB(StackBytes.stackOf(b.history(), i)), b.history().bytesOf(i));
    }

    private static int[] numbers(BitSet set) {
        return set.stream().toArray();
    }

    private static Held held(DeviceHistory history, int[] allocations) {
        return new Held(Arrays.stream(allocations).mapToLong(history::bytesOf).sum(), allocations.length);
    }
}
