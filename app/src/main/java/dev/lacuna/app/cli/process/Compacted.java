package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.argument.CompactionPace;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * What came of the compaction that a change was asked to bring with it. The change holds, whatever that was.
 *
 * @param report what moved
 * @param failure why nothing did
 */
record Compacted(Optional<CompactionReport> report, Optional<CommandFailure> failure) {
    /** Nobody asked for it. */
    static final Compacted NOT_ASKED = new Compacted(Optional.empty(), Optional.empty());

    /** As long as {@code compact} waits unless it is told otherwise. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Has it done, now that the change holds. */
    static Compacted in(AttachedProcess process, int device, CompactionPace pace)
            throws BridgeException, InterruptedException {
        try {
            CompactionReport report = CompactionRun.of(process).run(device, pace == CompactionPace.AT_ONCE, PATIENCE);
            return new Compacted(Optional.of(report), Optional.empty());
        } catch (CommandFailure failed) {
            return new Compacted(Optional.empty(), Optional.of(failed));
        }
    }

    /** Its member of the document; none where nobody asked. */
    void write(JsonGenerator json) throws IOException {
        if (report.isEmpty() && failure.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("compaction");
        if (report.isPresent()) {
            report.get().write(json);
        } else {
            json.writeStringField("error", failure.get().getMessage());
        }
        json.writeEndObject();
    }

    /**
     * Says what came of it, and gives the command's status.
     *
     * @throws CommandFailure where nothing did
     */
    int ended(boolean json) {
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (!json) {
            report.ifPresent(done -> done.lines().forEach(System.out::println));
        }
        return ExitStatus.DONE.code();
    }
}
