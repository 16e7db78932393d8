package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a number that cannot be. In a living process's file it says that nothing there is to be believed; in a black box, of
 * which there is only this one, it is unknown and costs nothing but itself.
 */
final class OddFields {
    /** Every one is a fault. */
    static final OddFields REFUSED = new OddFields(false);

    private final boolean accepted;
    private final List<Field> fields = new ArrayList<>();
    private Optional<String> first = Optional.empty();

    private OddFields(boolean accepted) {
        this.accepted = accepted;
    }

    /** Counts them. */
    static OddFields counted() {
        return new OddFields(true);
    }

    /** The number that is taken in place of one that cannot be. */
    long instead(Field field, long known, String why) throws BridgeException {
        if (!accepted) {
            throw Bytes.unreadable(why);
        }
        fields.add(field);
        if (first.isEmpty()) {
            first = Optional.of(why);
        }
        return known;
    }

    /** Those so far. */
    List<Field> fields() {
        return List.copyOf(fields);
    }

    /** What is wrong with the first one. */
    Optional<String> first() {
        return first;
    }
}
