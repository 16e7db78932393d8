package dev.lacuna.core.history.compare;

import dev.lacuna.core.history.attribution.HeldByTrainer;
import dev.lacuna.core.history.attribution.SizeHistogram;
import dev.lacuna.core.history.attribution.StackBytes;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.ArrayList;
import java.util.List;

/** Two moments side by side: who holds more, at which sizes, in which segments, and which blocks are new. Immutable. */
public final class Comparison {
    private final Side a;
    private final Side b;
    private final List<Difference<List<Frame>>> stacks;
    private final List<Difference<SizeClass>> sizes;
    private final List<Difference<SegmentKey>> segments;
    private final BlockMatch blocks;

    private Comparison(Side a, Side b) {
        CommonStacks common = new CommonStacks(a.history().stacks(), b.history().stacks());
        this.a = a;
        this.b = b;
        this.stacks = byStack(a, b, common);
        this.sizes = bySize(a, b);
        this.segments = SegmentComparison.of(a, b);
        this.blocks = BlockMatch.of(a, b, common);
    }

    /** What the second side holds against the base. */
    public static Comparison of(Side base, Side other) {
        return new Comparison(base, other);
    }

    /** The same with the other side as the base. */
    public Comparison swapped() {
        return new Comparison(b, a);
    }

    /** The base. */
    public Side a() {
        return a;
    }

    /** What is held against it. */
    public Side b() {
        return b;
    }

    /** By call stack, innermost frame first; the largest change first, stacks without a live block left out. */
    public List<Difference<List<Frame>>> stacks() {
        return stacks;
    }

    /** By size, from the smallest. */
    public List<Difference<SizeClass>> sizes() {
        return sizes;
    }

    /** By segment: of one recording by address, of two by kind and size; the largest change first. */
    public List<Difference<SegmentKey>> segments() {
        return segments;
    }

    /** Block by block. */
    public BlockMatch blocks() {
        return blocks;
    }

    /** What each side has allocated. */
    public Difference<String> allocated() {
        return total("allocated", sizes);
    }

    /** What each side has reserved. */
    public Difference<String> reserved() {
        return total("reserved", segments);
    }

    private static <K> Difference<String> total(String name, List<Difference<K>> parts) {
        Held inA = Held.NOTHING;
        Held inB = Held.NOTHING;
        for (Difference<K> part : parts) {
            inA = inA.plus(part.a());
            inB = inB.plus(part.b());
        }
        return new Difference<>(name, inA, inB);
    }

    private static List<Difference<List<Frame>>> byStack(Side a, Side b, CommonStacks common) {
        Held[] inA = new Held[common.size()];
        Held[] inB = new Held[common.size()];
        StackBytes ofA = StackBytes.at(a.history(), a.moment());
        StackBytes ofB = StackBytes.at(b.history(), b.moment());
        for (int s = 0; s < ofA.stacks(); s++) {
            inA[common.ofA(s)] = new Held(ofA.bytes(s), ofA.blocks(s));
        }
        for (int s = 0; s < ofB.stacks(); s++) {
            inB[common.ofB(s)] = new Held(ofB.bytes(s), ofB.blocks(s));
        }
        List<Difference<List<Frame>>> result = new ArrayList<>();
        for (int n = 0; n < common.size(); n++) {
            Held heldA = inA[n] == null ? Held.NOTHING : inA[n];
            Held heldB = inB[n] == null ? Held.NOTHING : inB[n];
            if (heldA.count() > 0 || heldB.count() > 0) {
                result.add(new Difference<>(common.frames(n), heldA, heldB));
            }
        }
        result.sort(Difference.largestFirst());
        return List.copyOf(result);
    }

    private static List<Difference<SizeClass>> bySize(Side a, Side b) {
        Tally<Integer> tally = Tally.sorted();
        HeldByTrainer.forEach(a.history(), a.moment(), i -> {
            long bytes = a.history().bytesOf(i);
            tally.addA(SizeHistogram.classOf(bytes), bytes);
        });
        HeldByTrainer.forEach(b.history(), b.moment(), i -> {
            long bytes = b.history().bytesOf(i);
            tally.addB(SizeHistogram.classOf(bytes), bytes);
        });
        return tally.differences(SizeClass::of);
    }
}
