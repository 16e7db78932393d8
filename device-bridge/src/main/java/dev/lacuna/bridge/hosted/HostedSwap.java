package dev.lacuna.bridge.hosted;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.hosted.AgentAbi.LayerUsage;
import dev.lacuna.bridge.hosted.AgentAbi.SwapEntry;
import dev.lacuna.core.base.counters.SwapMode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * The native swap engine of a hosted allocator: the very code that moves a training's saved tensors to the host. It copies what
 * is entered and knows where everything is; whoever enters a block frees it once its bytes are on the host, and brings another
 * when they are wanted again. Calls are safe from several threads and run one at a time, with those of the allocator.
 */
public final class HostedSwap {
    private static final long KEEP_BUDGET = -1;

    private final HostedAllocator allocator;
    private final Memory scratch = new Memory(Math.max(SwapEntry.BYTES, LayerUsage.BYTES));

    /** Native code holds its address: it lives as long as this. */
    private Optional<NativeAgent.LetGo> owner = Optional.empty();

    HostedSwap(HostedAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * Says what may leave the device.
     *
     * @param budgetBytes the most that the host may hold; empty: as it was
     * @throws IllegalArgumentException where the device cannot copy
     */
    public void set(SwapMode mode, OptionalLong budgetBytes) {
        synchronized (allocator) {
            HostedAllocator.require(
                    NativeAgent.lacuna_swap_set(allocator.agent(), mode.ordinal(), budgetBytes.orElse(KEEP_BUDGET)),
                    "set swapping");
        }
    }

    /** What may leave the device, as said here or from outside. */
    public SwapMode mode() {
        synchronized (allocator) {
            return SwapMode.values()[NativeAgent.lacuna_swap_mode(allocator.agent())];
        }
    }

    /** The number of a layer of this name, made by the first call. */
    public int layer(String name) {
        synchronized (allocator) {
            try (Memory text = new Memory(name.getBytes(StandardCharsets.UTF_8).length + 1L)) {
                text.setString(0, name, StandardCharsets.UTF_8.name());
                HostedAllocator.require(
                        NativeAgent.lacuna_swap_layer(allocator.agent(), text, scratch), "name a layer");
                return scratch.getInt(0);
            }
        }
    }

    /** Bytes of a layer that are at this place now. */
    public long bytes(int layer, SwapPlace place) {
        synchronized (allocator) {
            HostedAllocator.require(
                    NativeAgent.lacuna_swap_usage(allocator.agent(), layer, scratch), "look at a layer");
            return scratch.getLong(LayerUsage.BYTES_AT.offset() + (long) place.ordinal() * Long.BYTES);
        }
    }

    /**
     * Who is asked to let entries go when a request would fail: called in the thread that makes the request, once an entry, with
     * its cookie, when its bytes are on the host.
     */
    public void owner(LongConsumer letGo) {
        NativeAgent.LetGo called = (cookies, count) -> {
            for (long cookie : cookies.getLongArray(0, count)) {
                letGo.accept(cookie);
            }
        };
        synchronized (allocator) {
            HostedAllocator.require(NativeAgent.lacuna_swap_owner(allocator.agent(), called), "name the owner");
            owner = Optional.of(called);
        }
    }

    /**
     * Enters the beginning of a live block.
     *
     * @param bytes of it that count, 1 or more
     * @param pass number of its layer's forward: the lowest is needed last; not rescued before {@link #allow}
     * @param cookie names it to the owner; not 0
     */
    public HostedEntry enter(long block, long bytes, long pass, long cookie, int layer) {
        synchronized (allocator) {
            scratch.clear();
            scratch.setLong(SwapEntry.BLOCK.offset(), block);
            scratch.setLong(SwapEntry.ENTRY_BYTES.offset(), bytes);
            scratch.setLong(SwapEntry.PASS.offset(), pass);
            scratch.setLong(SwapEntry.COOKIE.offset(), cookie);
            scratch.setInt(SwapEntry.LAYER.offset(), layer);
            try (Memory out = new Memory(Native.POINTER_SIZE)) {
                HostedAllocator.require(
                        NativeAgent.lacuna_swap_enter(allocator.agent(), scratch, out), "enter a block");
                return new HostedEntry(allocator, Pointer.nativeValue(out.getPointer(0)));
            }
        }
    }

    /** Forwards up to this one are over: what they have entered may be rescued. */
    public void allow(long pass) {
        synchronized (allocator) {
            HostedAllocator.require(NativeAgent.lacuna_swap_allow(allocator.agent(), pass), "allow a pass");
        }
    }
}
