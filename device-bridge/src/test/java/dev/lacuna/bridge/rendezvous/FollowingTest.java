package dev.lacuna.bridge.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.GapParts;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.SafeLimit;
import dev.lacuna.core.base.counters.SwapCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FollowingTest {
    private final List<Integer> asked = new ArrayList<>();
    private long nowNs = Long.MAX_VALUE - 1;
    private final Following following = new Following(asked::add, Runnable::run, () -> nowNs);

    @Test
    void eachDeviceIsAskedOnce() {
        following.watch(List.of(device(0, Backend.CUDA), device(15, Backend.VIRTUAL)));
        following.watch(List.of(device(0, Backend.CUDA), device(1, Backend.ASCEND)));
        assertEquals(List.of(0, 15, 1), asked);
    }

    @Test
    void whoMissedEventsAsksAgainButNotAllTheTime() {
        following.watch(List.of(device(0, Backend.CUDA)));
        nowNs += 4_999_999_999L;
        assertFalse(following.missed());
        following.watch(List.of(device(0, Backend.CUDA)));
        nowNs++;
        assertTrue(following.missed());
        following.watch(List.of(device(0, Backend.CUDA)));
        assertFalse(following.missed());
        assertEquals(List.of(0, 0), asked);
    }

    @Test
    void whoDoesNotAnswerInTimeIsAskedAgainAndWhoIsGoneIsNot() {
        List<Reason> refusals = new ArrayList<>(List.of(Reason.TIMED_OUT, Reason.GONE));
        Following unheard = new Following(
                device -> {
                    asked.add(device);
                    throw new BridgeException(refusals.remove(0), "no answer");
                },
                Runnable::run,
                () -> nowNs);
        for (int sample = 0; sample < 4; sample++) {
            unheard.watch(List.of(device(0, Backend.CUDA)));
        }
        assertEquals(List.of(0, 0), asked);
    }

    private static MemoryCounters device(int number, Backend backend) {
        return new MemoryCounters(
                0,
                number,
                backend,
                0,
                1 << 30,
                0,
                0,
                0,
                0,
                1 << 30,
                1,
                false,
                PoolPolicy.SEGREGATED,
                Set.of(),
                0,
                new GapParts(0, 0, 0),
                0,
                List.of(),
                0,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                OptionalLong.empty(),
                SafeLimit.peakReserved(0),
                SwapCounters.NONE,
                Optional.empty());
    }
}
