package dev.lacuna.bridge.hosted;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.hosted.AgentAbi.Command;
import dev.lacuna.bridge.hosted.AgentAbi.Placed;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolPolicy;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Commands for a hosted allocator, kept in native form so that millions of them cost one call. Blocks are named by small numbers from 0
 * that the caller chooses.
 */
public final class CommandList {
    private static final int ALLOC = 1;
    private static final int FREE = 2;
    private static final int PHASE = 3;
    private static final int EMPTY_CACHE = 4;
    private static final int OPTIMISATION = 5;
    private static final int LIMIT = 6;
    private static final int RECORD_STREAM = 7;
    private static final int STREAM_DONE = 8;
    private static final int POLICY = 9;
    private static final int FIRST_ROOM = 1024;

    private ByteBuffer commands = buffer(FIRST_ROOM);
    private int size;
    private int ids;

    /** Requests {@code bytes} for block {@code id}. */
    public CommandList alloc(int id, long bytes, int stream) {
        return add(ALLOC, id, bytes, stream);
    }

    /** Frees block {@code id}. */
    public CommandList free(int id) {
        return add(FREE, id, 0, 0);
    }

    /** A phase begins or ends. */
    public CommandList phase(Phase phase, boolean begin) {
        return add(PHASE, 0, 2L * phase.ordinal() + (begin ? 1 : 0), 0);
    }

    /** Gives all cached memory back to the device. */
    public CommandList emptyCache() {
        return add(EMPTY_CACHE, 0, 0, 0);
    }

    /** Switches the optimisation. */
    public CommandList optimisation(boolean on) {
        return add(OPTIMISATION, 0, on ? 1 : 0, 0);
    }

    /** By whose rules lifetimes are kept apart, while they are. */
    public CommandList policy(PoolPolicy policy) {
        return add(POLICY, 0, policy.ordinal(), 0);
    }

    /** Sets the cap in bytes, whatever the guard says. */
    public CommandList limit(long bytes) {
        return add(LIMIT, 0, bytes, 0);
    }

    /** Block {@code id} is also used on this stream. */
    public CommandList recordStream(int id, int stream) {
        return add(RECORD_STREAM, id, 0, stream);
    }

    /** What was pending on this stream completes. */
    public CommandList streamDone(int stream) {
        return add(STREAM_DONE, 0, 0, stream);
    }

    /**
     * Runs them; requests that run out of memory have no placement and the rest is run all the same.
     *
     * @throws IllegalArgumentException when a command makes no sense, such as freeing a block that does not live
     */
    public Placements runOn(HostedAllocator allocator) {
        ByteBuffer outcomes = ByteBuffer.allocateDirect(Math.multiplyExact(size, Placed.BYTES))
                .order(ByteOrder.nativeOrder());
        Pointer list = Native.getDirectBufferPointer(commands);
        Pointer out = Native.getDirectBufferPointer(outcomes);
        synchronized (allocator) {
            int status = NativeAgent.lacuna_replay(allocator.agent(), list, size, ids, out);
            // The native code holds bare addresses: neither buffer may be collected before it has returned.
            Reference.reachabilityFence(commands);
            Reference.reachabilityFence(outcomes);
            HostedAllocator.require(status, "replay");
        }
        return new Placements(outcomes, size);
    }

    private CommandList add(int kind, int id, long value, int stream) {
        if (id < 0) {
            throw new IllegalArgumentException("block numbers start at 0, not at " + id);
        }
        if (commands.remaining() < Command.BYTES) {
            commands = buffer(2 * size).put(commands.flip());
        }
        int at = commands.position();
        commands.putInt(at + Command.KIND.offset(), kind);
        commands.putInt(at + Command.ID.offset(), id);
        commands.putLong(at + Command.VALUE.offset(), value);
        commands.putInt(at + Command.STREAM.offset(), stream);
        commands.position(at + Command.BYTES);
        ids = Math.max(ids, id + 1);
        size++;
        return this;
    }

    private static ByteBuffer buffer(int room) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(room, Command.BYTES))
                .order(ByteOrder.nativeOrder());
    }
}
