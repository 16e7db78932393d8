package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.Ending;
import dev.lacuna.bridge.wire.TelemetryLayout.Header;
import java.nio.ByteBuffer;
import java.util.Optional;

/** What a process wrote down of its end. */
final class ReportedEnding {
    private ReportedEnding() {}

    /** Empty where it wrote nothing: it runs, or had no time. A word of a later agent is an end in good order or none. */
    static Optional<Ending> of(ByteBuffer file) {
        Bytes bytes = new Bytes(file, 0);
        return switch (bytes.acquireInt(Header.ENDING)) {
            case Header.INTERRUPTED -> Optional.of(new Ending.Interrupted());
            case Header.EXCEPTION -> Optional.of(new Ending.Failed(bytes.text(Header.ENDING_TEXT)));
            case Header.FINISHED -> Optional.of(new Ending.Finished());
            default -> TelemetryFile.agentExited(file) ? Optional.of(new Ending.Finished()) : Optional.empty();
        };
    }
}
