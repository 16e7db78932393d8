package dev.lacuna.core.allocator;

import static dev.lacuna.core.allocator.Requests.MIB;

import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Outcome;
import java.util.Random;

/** Calls of every kind, drawn at random, for properties that must hold whatever was called. */
public final class RandomCalls {
    private static final int STREAMS = 3;

    private RandomCalls() {}

    /**
     * Makes one call; the same call for the same numbers drawn.
     *
     * @param call number of the call, which names the block if it is a request; frees look at earlier ones
     * @return what can be seen of it
     */
    public static String make(Allocator allocator, Random random, int call) {
        int earlier = call - 1 - random.nextInt(40);
        return switch (random.nextInt(24)) {
            case 0 -> {
                allocator.emptyCache();
                yield "empty";
            }
            case 1 -> "limit " + allocator.limit(1 + (long) (random.nextDouble() * 20 * MIB));
            case 2, 3 -> "fraction " + allocator.fraction(random.nextBoolean() ? 1.0 : 0.25 + random.nextDouble() / 2);
            case 4, 5 -> {
                allocator.streamDone(random.nextInt(STREAMS));
                yield "done";
            }
            case 6 -> {
                allocator.recordStream(Math.max(0, earlier), random.nextInt(STREAMS));
                yield "record";
            }
            case 7, 8, 9, 10, 11, 12, 13 -> "free " + allocator.free(Math.max(0, earlier));
            default -> {
                long bytes = random.nextInt(random.nextBoolean() ? 1 << 18 : 1 << 24);
                Outcome outcome = allocator.allocate(call, bytes, random.nextInt(STREAMS));
                yield outcome + " " + allocator.placement(call);
            }
        };
    }
}
