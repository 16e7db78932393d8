package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.CacheByRules;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What is seen at the end of a step of a training: steps take 100 ms and 800 MiB, of 1600 MiB reserved, with the optimisation of 1000 MiB. */
final class SteppedSample {
    static final long MS = 1_000_000L;
    static final long MIB = 1 << 20;

    private SteppedSample() {}

    static Sample of(int step, boolean on, SwapCounters swap) {
        MemoryEvents ended = new MemoryEvents(
                step,
                1,
                new long[] {step * 100L * MS},
                new long[1],
                new long[] {step},
                new byte[] {(byte) (EventKind.STEP.ordinal() + 1)},
                new byte[] {-1},
                new byte[1],
                new int[1]);
        return new Sample(
                1_000_000 + step * 100L,
                step * 100L * MS,
                4711,
                ProcessState.RUNNING,
                List.of(counters(step, on, swap, Optional.empty())),
                ended,
                0);
    }

    /** The counters of a process that says what a change of rules would give back. */
    static MemoryCounters caching(CacheByRules cache) {
        return counters(1, false, SwapCounters.NONE, Optional.of(cache));
    }

    private static MemoryCounters counters(int step, boolean on, SwapCounters swap, Optional<CacheByRules> cache) {
        return new MemoryCounters(
                0,
                0,
                Backend.CUDA,
                0,
                4096 * MIB,
                MIB,
                MIB,
                MIB,
                MIB,
                4096 * MIB,
                1,
                on,
                PoolPolicy.SEGREGATED,
                Set.of(),
                step,
                GapParts.NONE,
                0,
                List.of(),
                MIB,
                MIB,
                OptionalLong.of(800 * MIB),
                OptionalLong.of((on ? 1000 : 1600) * MIB),
                0,
                0,
                0,
                0,
                0,
                on ? 3 : 0,
                0,
                OptionalLong.of(100 * MS),
                SafeLimit.peakReserved(MIB),
                swap,
                cache);
    }
}
