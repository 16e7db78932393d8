package dev.lacuna.ui.places.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.MemoryDivision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryDivisionTest {
    @Test
    void adds_up_to_allocated_and_to_reserved() {
        GeneratedTraining training = new GeneratedTraining();
        training.advance(Duration.ofMillis(3_210));
        MemoryCounters now = training.sample().devices().get(0);
        MemoryDivision division = MemoryDivision.of(now);
        long allocated = division.longLived().allocatedBytes()
                + division.shortLived().allocatedBytes()
                + division.unsorted().allocatedBytes()
                + division.small().allocatedBytes();
        assertThat(allocated).isEqualTo(now.allocatedBytes());
        assertThat(allocated + division.releasable() + division.split() + division.pending())
                .isEqualTo(now.reservedBytes());
    }
}
