package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/** Which blocks of a recording a query means. Stacks are read once per query, not once per block. */
public final class BlockSearch implements IntPredicate {
    private final DeviceHistory history;
    private final BlockQuery query;
    private final BitSet stacks;

    public BlockSearch(DeviceHistory history, BlockQuery query) {
        this.history = history;
        this.query = query;
        this.stacks = matching(history.stacks(), query.words());
    }

    /** Whether the query means this block. */
    @Override
    public boolean test(int allocation) {
        long bytes = history.bytesOf(allocation);
        return bytes >= query.leastBytes()
                && bytes <= query.mostBytes()
                && (query.stream().isEmpty() || query.stream().getAsLong() == history.streamOf(allocation))
                && (query.address().isEmpty()
                        || contains(allocation, query.address().getAsLong()))
                && (query.words().isEmpty() || stacks.get(StackBytes.stackOf(history, allocation)));
    }

    private boolean contains(int allocation, long address) {
        long offset = address - history.addressOf(allocation);
        return Long.compareUnsigned(offset, history.bytesOf(allocation)) < 0;
    }

    private static BitSet matching(CallStacks stacks, List<String> words) {
        BitSet matching = new BitSet();
        for (int s = 0; s < stacks.size() && !words.isEmpty(); s++) {
            List<Frame> frames = stacks.stack(s);
            if (words.stream().allMatch(word -> frames.stream().anyMatch(frame -> isIn(word, frame)))) {
                matching.set(s);
            }
        }
        return matching;
    }

    private static boolean isIn(String word, Frame frame) {
        return (frame.function() + " " + frame.file() + ":" + frame.line())
                .toLowerCase(Locale.ROOT)
                .contains(word);
    }
}
