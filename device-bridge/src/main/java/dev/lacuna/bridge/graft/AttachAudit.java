package dev.lacuna.bridge.graft;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The line in the audit log that says who attached to what: of the same form as those that agents write. */
final class AttachAudit {
    private final Path log;
    private final int uid;
    private final String by;

    AttachAudit(Path directory, int uid, String by) {
        this.log = directory.resolve("audit.log");
        this.uid = uid;
        this.by = by;
    }

    /**
     * Appends the line.
     *
     * @param result {@code ok} or the obstacle's word
     * @throws IOException where it cannot be written
     */
    void add(long pid, String result, String asked) throws IOException {
        String line = Instant.now().truncatedTo(ChronoUnit.MILLIS) + " pid=" + pid + " peer_pid="
                + ProcessHandle.current().pid() + " peer_uid=" + Integer.toUnsignedString(uid) + " by=" + by
                + " result="
                + result + " force=no asked=\"" + asked + "\"\n";
        Files.writeString(log, line, StandardCharsets.US_ASCII, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
