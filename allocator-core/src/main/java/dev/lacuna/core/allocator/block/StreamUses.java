package dev.lacuna.core.allocator.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which live blocks other streams use, and which freed ones still wait for them. A pending block completes, in the order of
 * the frees, once each of its streams was said to be done after its free.
 */
public final class StreamUses {
    /** A freed block that waits for so many streams. */
    private static final class Wait {
        final int block;
        final long order;
        int streams;

        Wait(int block, long order, int streams) {
            this.block = block;
            this.order = order;
            this.streams = streams;
        }
    }

    private final Map<Integer, Set<Integer>> live = new HashMap<>();
    private final Map<Integer, List<Wait>> waitingByStream = new HashMap<>();
    private final List<Wait> ready = new ArrayList<>();
    private long frees;

    /** A live block is used by this stream too. */
    public void record(int block, int stream) {
        live.computeIfAbsent(block, b -> new HashSet<>()).add(stream);
    }

    /** The block is being freed; returns whether it has to wait for a stream. */
    public boolean free(int block) {
        if (live.isEmpty()) {
            return false;
        }
        Set<Integer> streams = live.remove(block);
        if (streams == null) {
            return false;
        }
        Wait wait = new Wait(block, frees++, streams.size());
        for (int stream : streams) {
            waitingByStream.computeIfAbsent(stream, s -> new ArrayList<>()).add(wait);
        }
        return true;
    }

    /** What this stream had to do so far is done. */
    public void done(int stream) {
        List<Wait> waiting = waitingByStream.remove(stream);
        if (waiting != null) {
            waiting.forEach(this::oneDone);
        }
    }

    /** Every stream was waited for. */
    public void allDone() {
        waitingByStream.values().forEach(waiting -> waiting.forEach(this::oneDone));
        waitingByStream.clear();
    }

    /** Takes out the blocks that wait for no stream any more, in the order of their frees. */
    public List<Integer> completed() {
        if (ready.isEmpty()) {
            return List.of();
        }
        ready.sort(Comparator.comparingLong(wait -> wait.order));
        List<Integer> blocks = ready.stream().map(wait -> wait.block).toList();
        ready.clear();
        return blocks;
    }

    private void oneDone(Wait wait) {
        if (--wait.streams == 0) {
            ready.add(wait);
        }
    }
}
