package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes what dead processes left: their sockets, and all but the newest black boxes. Files of living processes are
 * never touched, and neither is anything that is not named like an agent's file. A process whose socket answers lives,
 * even if its pid is unknown here: it runs in a container that shares the directory.
 */
final class Housekeeping {
    /** Black boxes that are kept. */
    static final int KEPT_BLACK_BOXES = 32;

    private final RendezvousDirectory directory;
    private final Witness witness;

    Housekeeping(RendezvousDirectory directory, Witness witness) {
        this.directory = directory;
        this.witness = witness;
    }

    /** Tidies up once. What cannot be removed stays for the next time. */
    void run() throws BridgeException {
        for (AgentFiles agent : directory.files(AgentFiles.SOCKET)) {
            if (witness.isDead(agent)) {
                remove(agent.socket());
            }
        }
        List<Aged> boxes = new ArrayList<>();
        for (AgentFiles agent : directory.files(AgentFiles.TELEMETRY)) {
            if (witness.isDead(agent)) {
                aged(agent.telemetry()).forEach(boxes::add);
            }
        }
        boxes.sort(Comparator.comparingLong(Aged::modifiedMs).reversed());
        boxes.stream().skip(KEPT_BLACK_BOXES).map(Aged::file).forEach(Housekeeping::remove);
    }

    private record Aged(Path file, long modifiedMs) {}

    /** The file with its age, or nothing when somebody else has just removed it. */
    private static Stream<Aged> aged(Path file) {
        try {
            return Stream.of(new Aged(
                    file,
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis()));
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Not ours to remove, or a directory in disguise: it does no harm where it is.
        }
    }
}
