package dev.lacuna.bridge.hosted;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A virtual machine that hosts the allocator and trains at random: each line on its standard input asks for so many requests, and is answered
 * with the allocator's books, a line for each live block, and its counters.
 */
final class BookProgram {
    private static final long CAPACITY_BYTES = 96L << 20;
    private static final int STREAM = 3;

    private record Held(long address, long requested) {}

    private final HostedAllocator allocator;
    private final Random random;
    private final List<Held> live = new ArrayList<>();

    private BookProgram(HostedAllocator allocator, long seed) {
        this.allocator = allocator;
        random = new Random(seed);
    }

    /** Arguments: on or off, and a seed. */
    public static void main(String[] arguments) throws Exception {
        boolean optimised = arguments[0].equals("on");
        try (HostedAllocator allocator = HostedAllocator.open(HostedSettings.served(CAPACITY_BYTES, 0.9, optimised))) {
            BookProgram program = new BookProgram(allocator, Long.parseLong(arguments[1]));
            allocator.free(allocator.malloc(512, 0));
            System.out.println("ready");
            BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = asked.readLine(); line != null; line = asked.readLine()) {
                program.train(Integer.parseInt(line));
                program.print();
            }
        }
    }

    private void train(int requests) throws Exception {
        for (int i = 0; i < requests; i++) {
            if (i % 500 == 0) {
                allocator.phase(Phase.STEP, i % 1000 == 0);
            }
            if (random.nextInt(3) == 0 || live.size() > 400) {
                drop(random.nextInt(Math.max(1, live.size())));
            } else {
                take();
            }
            // Another thread's events, now and then: the pace of a reader is none of this program's business.
            if (i % 5000 == 4999) {
                Thread.sleep(25);
            }
        }
    }

    private void take() {
        long bytes = random.nextInt(4) > 0 ? 1 + random.nextInt(600_000) : 1 + random.nextInt(12 << 20);
        try {
            live.add(new Held(allocator.malloc(bytes, 0), bytes));
        } catch (DeviceOutOfMemoryException e) {
            for (int i = 0; i < live.size() / 2; i++) {
                drop(random.nextInt(live.size()));
            }
        }
    }

    private void drop(int at) {
        if (live.isEmpty()) {
            return;
        }
        Held block = live.remove(at);
        if (random.nextInt(50) == 0) {
            allocator.recordStream(block.address(), STREAM);
            allocator.free(block.address());
            allocator.streamDone(STREAM);
        } else {
            allocator.free(block.address());
        }
    }

    private void print() throws Exception {
        // What was pending is completed, and known to be.
        allocator.free(allocator.malloc(512, 0));
        for (Held block : live) {
            HostedPlacement at = allocator.place(block.address()).orElseThrow();
            System.out.println(block.address() + " " + at.blockBytes() + " " + block.requested() + " " + at.pool());
        }
        MemoryCounters counters = allocator.counters();
        System.out.println("counters " + counters.reservedBytes() + " " + counters.allocatedBytes() + " "
                + counters.requestedBytes() + " " + counters.gap().releasableBytes() + " "
                + counters.gap().splitBytes() + " " + counters.gap().pendingBytes() + " " + counters.remaps());
    }
}
