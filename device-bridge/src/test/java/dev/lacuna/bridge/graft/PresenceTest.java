package dev.lacuna.bridge.graft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PresenceTest {
    @Test
    void speaks_again_and_again_whatever_it_is_told_and_not_after_its_end() throws InterruptedException {
        CountDownLatch said = new CountDownLatch(3);
        AtomicInteger after = new AtomicInteger();
        Presence presence = new Presence(
                () -> {
                    said.countDown();
                    after.incrementAndGet();
                    throw new BridgeException(Reason.GONE, "gone");
                },
                Duration.ofMillis(1));
        assertThat(said.await(30, TimeUnit.SECONDS)).isTrue();
        presence.close();
        Thread.sleep(20); // one that was under way
        int told = after.get();
        Thread.sleep(50);
        assertThat(after).hasValue(told);
    }
}
