package dev.lacuna.bridge.hosted;

/** What was entered with a {@link HostedSwap}. */
public final class HostedEntry {
    private static final long STREAM = 0;

    private final HostedAllocator allocator;
    private final long entry;

    HostedEntry(HostedAllocator allocator, long entry) {
        this.allocator = allocator;
        this.entry = entry;
    }

    /** Begins to copy to the host; false where its budget is exhausted, swapping is off or the copy cannot be begun. */
    public boolean out() {
        synchronized (allocator) {
            return NativeAgent.lacuna_swap_out(allocator.agent(), entry, STREAM) == AgentAbi.OK;
        }
    }

    /** Where its bytes are, looked up without waiting. */
    public SwapPlace place() {
        synchronized (allocator) {
            return SwapPlace.values()[NativeAgent.lacuna_swap_where(allocator.agent(), entry)];
        }
    }

    /** Its block may be freed now; false where the bytes are not on the host, and the block must stay. */
    public boolean letGo() {
        synchronized (allocator) {
            return NativeAgent.lacuna_swap_let_go(allocator.agent(), entry) == AgentAbi.OK;
        }
    }

    /** Brings its bytes into a block of at least the same size, and returns when they are there. */
    public void in(long block) {
        synchronized (allocator) {
            HostedAllocator.require(NativeAgent.lacuna_swap_in(allocator.agent(), entry, block, STREAM), "copy in");
            HostedAllocator.require(NativeAgent.lacuna_swap_wait(allocator.agent(), entry, STREAM), "wait for a copy");
        }
    }

    /** Nothing uses it any more: waits for its copy, and gives the host's side back. It must not be used after that. */
    public void leave() {
        synchronized (allocator) {
            HostedAllocator.require(NativeAgent.lacuna_swap_leave(allocator.agent(), entry), "leave");
        }
    }
}
