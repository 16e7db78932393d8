package dev.lacuna.bridge.control;

import dev.lacuna.bridge.BridgeException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Reads an agent's reply as the bridge does, for the tests that damage it. */
public final class ControlLineReading {
    /** Replies as agents give them. */
    public static final List<byte[]> SEEDS = Stream.of(
                    "ok optimisation=on fraction=0.94 limit_bytes=940 before.reserved_bytes=900 after.reserved_bytes=800 unreached_bytes=0",
                    "error code=would-fail lowest_safe_fraction=0.5 text=\"that cap = a \"dead\" step; force=yes\"")
            .map(line -> line.getBytes(StandardCharsets.UTF_8))
            .toList();

    private ControlLineReading() {}

    /** How it ended. */
    public static String read(byte[] input) {
        String line = new String(input, StandardCharsets.UTF_8);
        try {
            return "read "
                    + AgentControl.reply(ControlLine.parse(line)).getClass().getSimpleName();
        } catch (BridgeException e) {
            return "refused " + e.reason();
        }
    }
}
