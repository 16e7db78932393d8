package dev.lacuna.core.history.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The blocks that are live as an agent's events tell, by where they lie. No two overlap: what begins where another still lies shows that the
 * other's end was missed. Addresses are unsigned. Not safe for several threads.
 *
 * @param <B> what is known of a block
 */
public final class LiveSpans<B extends LiveSpans.Block> {
    /** A block that lies somewhere. */
    public interface Block {
        /** Its length, &gt; 0. */
        long bytes();
    }

    /** Is told of blocks in the order of their addresses. */
    public interface Visitor<B> {
        void block(long address, B block);
    }

    private final TreeMap<Long, B> byAddress = new TreeMap<>(Long::compareUnsigned);
    private long bytes;

    public LiveSpans() {}

    /** The same blocks, apart from them. */
    public LiveSpans(LiveSpans<B> same) {
        byAddress.putAll(same.byAddress);
        bytes = same.bytes;
    }

    /** A block is handed out; what lay there must have ended with {@link #end} before. */
    public void born(long address, B block) {
        B replaced = byAddress.put(address, block);
        bytes += block.bytes() - (replaced == null ? 0 : replaced.bytes());
    }

    /** The block that begins there is given back; empty where none is known. */
    public Optional<B> freed(long address) {
        B block = byAddress.remove(address);
        bytes -= block == null ? 0 : block.bytes();
        return Optional.ofNullable(block);
    }

    /** Nothing of what lies in this stretch is live any more. Returns what was, by address. */
    public List<B> end(long from, long to) {
        List<B> ended = List.of();
        Map.Entry<Long, B> at = byAddress.lowerEntry(from);
        if (at == null || Long.compareUnsigned(at.getKey() + at.getValue().bytes(), from) <= 0) {
            at = byAddress.ceilingEntry(from);
        }
        while (at != null && Long.compareUnsigned(at.getKey(), to) < 0) {
            if (ended.isEmpty()) {
                ended = new ArrayList<>();
            }
            ended.add(at.getValue());
            freed(at.getKey());
            at = byAddress.ceilingEntry(from);
        }
        return ended;
    }

    /** Tells of those that begin in a stretch. */
    public void forEach(long from, long to, Visitor<B> visitor) {
        for (Map.Entry<Long, B> at = byAddress.ceilingEntry(from);
                at != null && Long.compareUnsigned(at.getKey(), to) < 0;
                at = byAddress.higherEntry(at.getKey())) {
            visitor.block(at.getKey(), at.getValue());
        }
    }

    /** All of them, by address. */
    public Collection<B> all() {
        return List.copyOf(byAddress.values());
    }

    /** How many there are. */
    public int size() {
        return byAddress.size();
    }

    /** What they hold together. */
    public long bytes() {
        return bytes;
    }

    /** Nothing is known any more. */
    public void clear() {
        byAddress.clear();
        bytes = 0;
    }
}
