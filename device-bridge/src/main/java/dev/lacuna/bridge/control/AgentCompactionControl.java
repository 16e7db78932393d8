package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@link CompactionControl} by the protocol's words (docs/wire.md). */
final class AgentCompactionControl implements CompactionControl {
    private static final String STAYED = "stayed.";

    private final AgentSwapControl.Exchange exchange;
    private final String by;

    AgentCompactionControl(AgentSwapControl.Exchange exchange, String by) {
        this.exchange = exchange;
        this.by = by;
    }

    @Override
    public Answer<Boolean> ask(int device, boolean atOnce) throws BridgeException {
        ControlLine reply = ControlLine.parse(
                exchange.ask("compact device=" + device + " pace=" + (atOnce ? "at-once" : "gentle") + " by=" + by));
        return reply.ok() ? new Answer.Given<>(true) : refused(reply);
    }

    @Override
    public Answer<Compaction> state(int device) throws BridgeException {
        ControlLine reply = ControlLine.parse(exchange.ask("compaction device=" + device));
        return reply.ok() ? new Answer.Given<>(compaction(reply)) : refused(reply);
    }

    private static <T> Answer<T> refused(ControlLine reply) throws BridgeException {
        return new Answer.Refused<>(reply.word("code"), reply.words().getOrDefault("text", ""));
    }

    private static Compaction compaction(ControlLine reply) throws BridgeException {
        return new Compaction(
                state(reply.word("state")),
                reply.choice("pace", "at-once", "gentle"),
                reply.bytes("moved"),
                reply.bytes("moved_bytes"),
                reply.bytes("left"),
                reply.bytes("left_bytes"),
                reply.bytes("busy_ns"),
                stayed(reply));
    }

    private static Compaction.State state(String word) throws BridgeException {
        return switch (word) {
            case "none" -> Compaction.State.NONE;
            case "asked" -> Compaction.State.ASKED;
            case "running" -> Compaction.State.RUNNING;
            case "done" -> Compaction.State.DONE;
            default -> throw new BridgeException(Reason.UNREADABLE, "the agent answered state=" + word);
        };
    }

    private static Map<String, Compaction.Stayed> stayed(ControlLine reply) throws BridgeException {
        Map<String, Compaction.Stayed> stayed = new LinkedHashMap<>();
        for (Map.Entry<String, String> word : reply.words().entrySet()) {
            if (word.getKey().startsWith(STAYED)) {
                stayed.put(word.getKey().substring(STAYED.length()), pair(word.getKey(), word.getValue()));
            }
        }
        return stayed;
    }

    private static Compaction.Stayed pair(String key, String value) throws BridgeException {
        String[] parts = value.split(":", 2);
        try {
            return new Compaction.Stayed(Long.parseLong(parts[0]), Long.parseLong(parts[parts.length - 1]));
        } catch (NumberFormatException e) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's reply has no numbers for " + key, e);
        }
    }
}
