package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.NamedPhases.Phase;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The verb about phases with names, {@code docs/wire.md}. A long list comes in several lines. */
final class AgentPhases {
    /** No process counts more. */
    private static final int MOST = 24;

    private static final int PARTS = 5;

    private AgentPhases() {}

    static Answer<NamedPhases> ask(AgentSwapControl.Exchange exchange, int device) throws BridgeException {
        List<Phase> phases = new ArrayList<>();
        ControlLine line;
        do {
            line = ControlLine.parse(exchange.ask("phases device=" + device + " first=" + phases.size()));
            if (!line.ok()) {
                return new Answer.Refused<>(line.word("code"), line.words().getOrDefault("text", ""));
            }
            long next = line.bytes("next");
            if (next > MOST || next < phases.size() || next == phases.size() && line.choice("more", "yes", "no")) {
                throw new BridgeException(Reason.UNREADABLE, "the list of phases does not go on at " + phases.size());
            }
            while (phases.size() < next) {
                phases.add(phase(line.word("phase." + phases.size())));
            }
        } while (line.choice("more", "yes", "no"));
        return new Answer.Given<>(new NamedPhases(line.choice("by", "looks", "marks"), phases));
    }

    private static Phase phase(String word) throws BridgeException {
        String[] parts = word.split(":", -1);
        try {
            if (parts.length == PARTS && (parts[1].equals("open") || parts[1].equals("closed"))) {
                return new Phase(
                        URLDecoder.decode(parts[0].replace("+", "%2B"), StandardCharsets.UTF_8),
                        parts[1].equals("open"),
                        Long.parseLong(parts[2]),
                        Long.parseLong(parts[3]),
                        Long.parseLong(parts[4]));
            }
        } catch (IllegalArgumentException e) {
            throw new BridgeException(Reason.UNREADABLE, "no phase in the reply: " + word, e);
        }
        throw new BridgeException(Reason.UNREADABLE, "no phase in the reply: " + word);
    }
}
