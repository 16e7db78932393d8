package dev.lacuna.bridge.control;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.LayerPlace;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import java.util.EnumSet;
import java.util.Set;

/** The words of one layer in a reply: parts between colons, the name first. */
final class LayerText {
    private final String word;
    private final String[] parts;

    private LayerText(String word, int count) throws BridgeException {
        this.word = word;
        this.parts = word.split(":", -1);
        if (parts.length != count) {
            throw unreadable();
        }
    }

    /** {@code NAME:DEVICE:OUT:HOST:IN:ASKED:HOLDS:WHY} */
    static LayerPlace place(String word) throws BridgeException {
        LayerText w = new LayerText(word, 8);
        return new LayerPlace(
                w.parts[0],
                w.number(1),
                w.number(2),
                w.number(3),
                w.number(4),
                w.action(5),
                w.action(6),
                w.parts[7].equals("-") ? "" : w.parts[7]);
    }

    /** {@code NAME:FORWARD:BACKWARD:SAVED:INPUT:OUT:IN:STEPS:CAN} */
    static LayerMeasurement measurement(String word) throws BridgeException {
        LayerText w = new LayerText(word, 9);
        return new LayerMeasurement(
                w.parts[0],
                w.number(1),
                w.number(2),
                w.number(3),
                w.number(4),
                w.number(5),
                w.number(6),
                (int) Math.min(Integer.MAX_VALUE, w.number(7)),
                w.possible());
    }

    /** What the agent says is in force: {@code off}, letters, which are large, or a rule's name, which is not. */
    static LayerOrders orders(String word) throws BridgeException {
        if (word.equals("off")) {
            return new LayerOrders.None();
        }
        return Character.isLowerCase(word.charAt(0))
                ? new LayerOrders.ByRule(word)
                : new LayerOrders.ByLayer(policy(word));
    }

    private static LayerPolicy policy(String letters) throws BridgeException {
        try {
            return LayerPolicy.parse(letters);
        } catch (IllegalArgumentException e) {
            throw new BridgeException(Reason.UNREADABLE, "the agent answered with a policy of other letters", e);
        }
    }

    private Set<LayerAction> possible() throws BridgeException {
        Set<LayerAction> possible = EnumSet.of(LayerAction.KEEP);
        possible.addAll(policy(parts[8]).actions());
        return possible;
    }

    private LayerAction action(int part) throws BridgeException {
        if (parts[part].length() != 1) {
            throw unreadable();
        }
        return policy(parts[part]).actions().get(0);
    }

    private long number(int part) throws BridgeException {
        try {
            long value = Long.parseLong(parts[part]);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's reply has no number in a layer: " + word, e);
        }
        throw unreadable();
    }

    private BridgeException unreadable() {
        return new BridgeException(Reason.UNREADABLE, "the agent answered with no layer: " + word);
    }
}
