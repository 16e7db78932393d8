package dev.lacuna.core.history.agent;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.history.model.SlotTable;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Memory that must have been there, at the beginning or since a loss, because of what happened in it later. Stock segments that were given
 * back told their bounds then; of all else the chunks are known that something lay in, and neighbours are taken for one piece.
 */
final class UnreportedMemory {
    private final TreeMap<Long, Integer> poolOfSlot = new TreeMap<>();
    private final List<Segment> whole = new ArrayList<>();

    void cover(long slot, int pool) {
        poolOfSlot.putIfAbsent(slot, AgentMemory.home(pool));
    }

    /** A stock segment whose bounds are known: what was covered in it is part of it. */
    void whole(long address, long bytes, int pool) {
        poolOfSlot
                .subMap(SlotTable.slot(address), SlotTable.end(address, bytes))
                .clear();
        whole.add(segment(address, bytes, pool, true));
    }

    /** Number of pieces whose bounds are guessed. */
    int guessed() {
        return segments().size() - whole.size();
    }

    List<Segment> segments() {
        List<Segment> out = new ArrayList<>(whole);
        long from = 0;
        long to = -1;
        int pool = -1;
        for (var entry : poolOfSlot.entrySet()) {
            if (entry.getKey() != to || entry.getValue() != pool) {
                add(out, from, to, pool);
                from = entry.getKey();
                pool = entry.getValue();
            }
            to = entry.getKey() + 1;
        }
        add(out, from, to, pool);
        return out;
    }

    private static void add(List<Segment> out, long from, long to, int pool) {
        if (to > from) {
            long bytes = (to - from) * SlotTable.SLOT_BYTES;
            out.add(segment(SlotTable.address(from), bytes, pool, AgentMemory.stock(pool)));
        }
    }

    private static Segment segment(long address, long bytes, int pool, boolean stock) {
        boolean large = PoolName.ofCode(pool).filter(PoolName::large).isPresent();
        return new Segment(address, bytes, 0, PoolId.DEFAULT, large, !stock, 0);
    }
}
