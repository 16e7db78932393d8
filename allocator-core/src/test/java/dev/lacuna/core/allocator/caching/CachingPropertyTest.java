package dev.lacuna.core.allocator.caching;

import static dev.lacuna.core.allocator.Requests.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.AllocatorInvariantsTest;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The caching model with options of every kind, against its rules written plainly. */
class CachingPropertyTest {
    private static final int CALLS = 400;
    private static final long CAPACITY = 400 * MIB;

    @Property(tries = 200)
    void places_and_releases_as_the_rules_say_under_any_options(@ForAll long seed) {
        Random random = new Random(seed);
        CachingOptions options = options(random);
        CachingAllocator model = new CachingAllocator(Device.ofCapacity(CAPACITY), options);
        CachingReference plain = new CachingReference(CAPACITY, options);
        Map<Integer, Long> live = new TreeMap<>();
        for (int id = 0; id < CALLS; id++) {
            call(model, plain, random, id, live);
            assertThat(where(model, id)).isEqualTo(plain.place(id));
            assertThat(model.reservedBytes()).isEqualTo(plain.reserved());
            assertThat(model.counters().retries()).isEqualTo(plain.retries);
            assertThat(model.counters().ooms()).isEqualTo(plain.ooms);
            AllocatorInvariantsTest.checkBooks(model.counters(), live);
        }
        AllocatorInvariantsTest.checkNoOverlap(model, live);
    }

    private static void call(
            CachingAllocator model, CachingReference plain, Random random, int id, Map<Integer, Long> live) {
        int choice = random.nextInt(40);
        if (choice == 0) {
            model.emptyCache();
            plain.emptyCache();
        } else if (choice == 1) {
            long limit = random.nextBoolean() ? CAPACITY : CAPACITY / 4 + random.nextInt((int) (CAPACITY / 2));
            model.limit(limit);
            plain.limit(limit);
        } else if (choice < 17 && !live.isEmpty()) {
            List<Integer> ids = List.copyOf(live.keySet());
            int freed = ids.get(random.nextInt(ids.size()));
            model.free(freed);
            plain.free(freed);
            live.remove(freed);
        } else {
            long bytes = random.nextInt(1 << (choice % 4 == 0 ? 19 : choice % 4 == 1 ? 24 : 27));
            int stream = random.nextInt(2);
            if (model.allocate(id, bytes, stream) == Outcome.PLACED) {
                live.put(id, bytes);
            }
            plain.allocate(id, bytes, stream);
        }
    }

    private static List<Long> where(CachingAllocator model, int id) {
        return model.address(id).isEmpty()
                ? List.of()
                : List.of(
                        model.address(id).getAsLong(),
                        model.placement(id).orElseThrow().blockBytes());
    }

    private static CachingOptions options(Random random) {
        CachingOptions options = CachingOptions.PYTORCH;
        if (random.nextBoolean()) {
            options = options.withLargeSegmentBytes((11 + random.nextInt(40)) * MIB);
        }
        if (random.nextBoolean()) {
            options = options.withMaxSplitBytes(options.largeSegmentBytes() + random.nextInt(40) * MIB);
        }
        if (random.nextBoolean()) {
            options = options.withMaxNonSplitRoundingBytes(options.largeSegmentBytes() + random.nextInt(40) * MIB);
        }
        if (random.nextBoolean()) {
            options = options.withRoundup(RoundupDivisions.everywhere(1L << random.nextInt(6)));
        }
        if (random.nextBoolean()) {
            options = options.withGarbageCollectionThreshold(0.1 + random.nextDouble() * 0.8);
        }
        if (random.nextBoolean()) {
            options = options.withFraction(0.3 + random.nextDouble() * 0.7);
        }
        return options.withPadBytes(random.nextBoolean() ? 0 : CachingOptions.NPU_PAD_BYTES);
    }
}
