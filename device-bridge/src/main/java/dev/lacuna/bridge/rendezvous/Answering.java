package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.control.AgentControl;
import java.nio.file.Path;

/**
 * Whether anybody listens at a socket, asked seldom: for processes that nothing else can be known of. One that does not
 * answer is given up late, because an agent whose trainer closed its descriptors opens them again a moment later.
 */
final class Answering {
    private static final long ASK_EVERY_NS = 500_000_000;
    private static final long GIVE_UP_NS = 2_000_000_000;

    private final Path socket;
    private long askedNs = System.nanoTime();
    private long answeredNs = askedNs;

    /** One that has just answered. */
    Answering(Path socket) {
        this.socket = socket;
    }

    synchronized boolean now() {
        long now = System.nanoTime();
        if (now - askedNs >= ASK_EVERY_NS) {
            askedNs = now;
            if (AgentControl.answers(socket)) {
                answeredNs = now;
            }
        }
        return now - answeredNs < GIVE_UP_NS;
    }
}
