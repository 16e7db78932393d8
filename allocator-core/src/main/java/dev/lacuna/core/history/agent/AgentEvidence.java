package dev.lacuna.core.history.agent;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.AgentMemory;
import dev.lacuna.core.history.model.SlotTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the agent's events say of what they do not tell: which memory and which blocks there must have been at the beginning and at
 * every loss, and which freed blocks a stream still used. Only what later events prove is here; nothing is guessed of blocks.
 */
final class AgentEvidence {
    /** A block that is freed and was handed out by an event that was lost. */
    record Untold(long address, long requested, int pool, int stream, boolean pending) {}

    /** What is known of a slot: nothing is mapped there, it was told, or (this and more) since which loss it must be. */
    private static final int UNMAPPED = 0;

    private static final int TOLD = 1;
    private static final int PROVEN = 2;

    private final AgentRows rows;
    private final SlotTable mapped = new SlotTable();
    private final List<UnreportedMemory> memory = new ArrayList<>();
    private final List<List<Untold>> blocks = new ArrayList<>();
    private final BitSet pending = new BitSet();
    private boolean tellsCompletions;

    /** Bytes asked for in each block that is live, and the addresses that events since the last loss told of. */
    private final Map<Long, Long> live = new HashMap<>();

    private final Set<Long> reported = new HashSet<>();

    private AgentEvidence(AgentRows rows) {
        this.rows = rows;
        begin();
    }

    /** Goes through the rows once forwards, and once backwards where streams kept blocks. */
    static AgentEvidence of(AgentRows rows, OpenRequest request) {
        AgentEvidence evidence = new AgentEvidence(rows);
        for (int i = 0; i < rows.size(); i++) {
            request.checkAt(i);
            evidence.follow(i);
        }
        if (evidence.tellsCompletions) {
            evidence.findPending();
        }
        return evidence;
    }

    /** Memory that was there at the beginning (0) or since the k-th loss. */
    UnreportedMemory memory(int k) {
        return memory.get(k);
    }

    /** Blocks that were handed out in the k-th loss, k ≥ 1. */
    List<Untold> blocks(int k) {
        return blocks.get(k);
    }

    /** Whether anything was still used after its free: then every free is told in two. */
    boolean tellsCompletions() {
        return tellsCompletions;
    }

    /** Whether the block that row i frees was still used by a stream. */
    boolean pending(int i) {
        return pending.get(i);
    }

    private void begin() {
        memory.add(new UnreportedMemory());
        blocks.add(new ArrayList<>());
        reported.clear();
    }

    private void follow(int i) {
        if (rows.isLoss(i)) {
            begin();
            return;
        }
        long address = rows.address(i);
        long bytes = rows.bytes(i);
        switch (rows.kind(i)) {
            case ALLOC -> {
                cover(address, AgentMemory.rounded(bytes), rows.pool(i));
                live.put(address, bytes);
                reported.add(address);
            }
            case FREE -> freed(i, false);
            case FREE_COMPLETED -> {
                tellsCompletions = true;
                if (!reported.contains(address)) {
                    freed(i, true);
                }
            }
            case GROW -> arrive(address, bytes);
            case REMAP -> {
                if (rows.source(i) != AgentRows.UNTOLD) {
                    leave(rows.source(i), bytes, rows.pool(i), false);
                }
                arrive(address, bytes);
            }
            case RELEASE -> leave(address, bytes, rows.pool(i), AgentMemory.stock(rows.pool(i)));
            case PHASE, STEP, OOM, RETRY, OPTIMISATION, LIMIT, MAPPED, HELD -> {}
        }
    }

    private void freed(int i, boolean pendingBefore) {
        long address = rows.address(i);
        long bytes = rows.bytes(i);
        cover(address, AgentMemory.rounded(bytes), rows.pool(i));
        Long known = live.remove(address);
        boolean isNew = reported.add(address);
        if (isNew && memory.size() > 1 && (pendingBefore || known == null || known != bytes)) {
            blocks.get(blocks.size() - 1).add(new Untold(address, bytes, rows.pool(i), rows.stream(i), pendingBefore));
        }
    }

    // ---------------------------------------------------------------- memory

    private int provenNow() {
        return PROVEN + memory.size() - 1;
    }

    private UnreportedMemory now() {
        return memory.get(memory.size() - 1);
    }

    /** Something lies here, so memory does. */
    private void cover(long address, long bytes, int pool) {
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            if (mapped.get(slot) == UNMAPPED) {
                now().cover(slot, pool);
                mapped.set(slot, provenNow());
            }
        }
    }

    private void arrive(long address, long bytes) {
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            mapped.set(slot, TOLD);
        }
    }

    private void leave(long address, long bytes, int pool, boolean whole) {
        boolean untold = whole;
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            untold &= mapped.get(slot) == UNMAPPED || mapped.get(slot) == provenNow();
            if (!whole && mapped.get(slot) == UNMAPPED) {
                now().cover(slot, pool);
            }
        }
        if (untold) {
            now().whole(address, bytes, pool);
        } else if (whole) {
            cover(address, bytes, pool);
        }
        for (long slot = SlotTable.slot(address); slot < SlotTable.end(address, bytes); slot++) {
            mapped.set(slot, UNMAPPED);
        }
    }

    // ---------------------------------------------------------------- streams

    /** A free whose block next becomes free at its address was not the end of it. */
    private void findPending() {
        Map<Long, EventKind> next = new HashMap<>();
        for (int i = rows.size() - 1; i >= 0; i--) {
            if (rows.isLoss(i)) {
                continue;
            }
            EventKind kind = rows.kind(i);
            if (kind == EventKind.FREE) {
                pending.set(i, next.get(rows.address(i)) == EventKind.FREE_COMPLETED);
            }
            if (kind == EventKind.FREE || kind == EventKind.FREE_COMPLETED || kind == EventKind.ALLOC) {
                next.put(rows.address(i), kind);
            }
        }
    }
}
