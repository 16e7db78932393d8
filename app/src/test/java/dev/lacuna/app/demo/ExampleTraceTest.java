package dev.lacuna.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.AllocatorPolicies;
import dev.lacuna.core.replay.Replay;
import dev.lacuna.core.replay.ReplayResult;
import dev.lacuna.core.replay.ReplaySettings;
import org.junit.jupiter.api.Test;

class ExampleTraceTest {
    private static ReplayResult replayed(String policy) {
        return new Replay(ExampleTrace.make(), ReplaySettings.RECORDED)
                .run(AllocatorPolicies.named(policy).orElseThrow());
    }

    @Test
    void is_the_same_every_time() {
        assertThat(ExampleTrace.make()).isEqualTo(ExampleTrace.make());
    }

    @Test
    void shows_a_gap_that_another_policy_closes() {
        ReplayResult caching = replayed("caching");
        assertThat(caching.steps()).isEqualTo(40);
        assertThat(caching.ooms()).isZero();
        assertThat(caching.fragmentation()).isGreaterThan(0.2);
        assertThat(replayed("segregated").peakReservedBytes()).isLessThan(caching.peakReservedBytes());
    }
}
