package dev.lacuna.bridge.control;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.SwapFacts;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The verbs about swapping and layers, {@code docs/wire.md}. Long lists come, and long policies go, in several lines. */
final class AgentSwapControl implements SwapControl {
    /** What fits into a line of 512 bytes beside the other words, of which {@code by} may take 64. */
    static final int LETTERS_A_LINE = 256;

    /** The agent counts no more layers than this. */
    private static final int MOST_LAYERS = 1024;

    /** One line out, one line back. */
    @FunctionalInterface
    interface Exchange {
        /** The reply to a request. */
        String ask(String request) throws BridgeException;
    }

    private final Exchange exchange;
    private final String by;

    AgentSwapControl(Exchange exchange, String by) {
        this.exchange = exchange;
        this.by = by;
    }

    @Override
    public Answer<SwapFacts> facts(int device) throws BridgeException {
        ControlLine line = ask("get device=" + device);
        if (!line.ok()) {
            return refused(line);
        }
        return new Answer.Given<>(new SwapFacts(line.swapping(), copies(line), rules(line)));
    }

    private static List<String> rules(ControlLine line) {
        String words = line.words().getOrDefault("rules", "none");
        return words.equals("none") ? List.of() : List.of(words.split(","));
    }

    private static CopyPlace copies(ControlLine line) throws BridgeException {
        if (!line.word("numa_node").equals("none")) {
            return new CopyPlace.Bound((int) line.bytes("numa_node"));
        }
        // Agents up to 0.1.0 may not say why.
        return new CopyPlace.Unbound(
                switch (line.words().getOrDefault("numa", "")) {
                    case "virtual" -> CopyPlace.Cause.VIRTUAL;
                    case "no-address" -> CopyPlace.Cause.NO_ADDRESS;
                    case "untold" -> CopyPlace.Cause.UNTOLD;
                    case "no-processors" -> CopyPlace.Cause.NO_PROCESSORS;
                    case "refused" -> CopyPlace.Cause.REFUSED;
                    default -> CopyPlace.Cause.UNKNOWN;
                });
    }

    @Override
    public Answer<LayerPlaces> layers(int device) throws BridgeException {
        List<LayerPlace> layers = new ArrayList<>();
        ControlLine line;
        do {
            line = ask("layers device=" + device + " first=" + layers.size());
            if (!line.ok()) {
                return refused(line);
            }
            for (String word : page(line, layers.size())) {
                layers.add(LayerText.place(word));
            }
        } while (line.choice("more", "yes", "no"));
        Optional<String> rule = Optional.ofNullable(line.words().get("rule"));
        return new Answer.Given<>(new LayerPlaces(layers, line.choice("policy", "on", "off"), rule));
    }

    @Override
    public Answer<ProfileReading> profile(int device, boolean fresh) throws BridgeException {
        List<LayerMeasurement> layers = new ArrayList<>();
        ControlLine line;
        do {
            String again = fresh && layers.isEmpty() ? " fresh=yes" : "";
            line = ask("profile device=" + device + " first=" + layers.size() + again);
            if (!line.ok()) {
                return refused(line);
            }
            for (String word : page(line, layers.size())) {
                layers.add(LayerText.measurement(word));
            }
        } while (line.choice("more", "yes", "no"));
        LayerProfile profile = new LayerProfile(
                layers,
                line.bytes("step_ns"),
                line.bytes("peak_allocated_bytes"),
                line.bytes("limit_bytes"),
                line.bytes("other_bytes"),
                line.bytes("link_bytes_per_second"));
        return new Answer.Given<>(new ProfileReading(profile, line.choice("measuring", "yes", "no")));
    }

    @Override
    public Answer<SwapSetting> set(Change change) throws BridgeException {
        ControlLine line = ask(AgentControl.request(change, by));
        return line.ok() ? new Answer.Given<>(line.swapping()) : refused(line);
    }

    @Override
    public Answer<LayerOrders> tell(int device, LayerOrders orders) throws BridgeException {
        String word = orders.word();
        Answer<LayerOrders> first = before(tell(device, 0, piece(word, 0)));
        if (first instanceof Answer.Given<LayerOrders> given) {
            for (int at = LETTERS_A_LINE; at < word.length(); at += LETTERS_A_LINE) {
                ControlLine line = tell(device, at, piece(word, at));
                if (!line.ok()) {
                    // Half a policy is none.
                    tell(device, given.value());
                    return refused(line);
                }
            }
        }
        return first;
    }

    private static String piece(String letters, int at) {
        return letters.substring(at, Math.min(letters.length(), at + LETTERS_A_LINE));
    }

    private ControlLine tell(int device, int first, String kinds) throws BridgeException {
        return ask("policy device=" + device + " first=" + first + " kinds=" + kinds + " by=" + by);
    }

    private static Answer<LayerOrders> before(ControlLine line) throws BridgeException {
        return line.ok() ? new Answer.Given<>(LayerText.orders(line.word("before"))) : refused(line);
    }

    private ControlLine ask(String request) throws BridgeException {
        return ControlLine.parse(exchange.ask(request));
    }

    private static <T> Answer<T> refused(ControlLine line) throws BridgeException {
        return new Answer.Refused<>(line.word("code"), line.words().getOrDefault("text", ""), line.guard());
    }

    /** The words of the layers from this number on, which stand in order. */
    private static List<String> page(ControlLine line, int first) throws BridgeException {
        long next = line.bytes("next");
        boolean more = line.choice("more", "yes", "no");
        if (line.bytes("first") != first || next < first || next > MOST_LAYERS || more && next == first) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's list of layers does not go on at " + first);
        }
        List<String> words = new ArrayList<>();
        for (long number = first; number < next; number++) {
            words.add(line.word("layer." + number));
        }
        return words;
    }
}
