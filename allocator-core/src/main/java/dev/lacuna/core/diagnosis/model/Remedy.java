package dev.lacuna.core.diagnosis.model;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Something to do about it.
 *
 * @param id stable name, also in message keys
 * @param title what to do, in a few words
 * @param command the exact setting or command, the whole of it; empty when it is no single one
 * @param why what it does for this failure, what it costs, what it does not go with
 * @param live what a window can do about it in an attached process
 * @param gainBytes the most that it can free, where that can be computed
 */
public record Remedy(
        String id, Text title, Optional<String> command, Text why, LiveAction live, OptionalLong gainBytes) {

    /** What can be done at once in an attached process. */
    public sealed interface LiveAction {
        /** Nothing. */
        record None() implements LiveAction {}

        /** Turn the optimisation on. */
        record TurnOptimisationOn() implements LiveAction {}

        /**
         * Set the memory fraction.
         *
         * @param fraction 0 &lt; fraction ≤ 1
         */
        record SetFraction(double fraction) implements LiveAction {}
    }

    /** A remedy that has to be done by hand. */
    public static Remedy manual(String id, Optional<String> command, Text why) {
        return new Remedy(id, titleOf(id), command, why, new LiveAction.None(), OptionalLong.empty());
    }

    /** What it costs, where that is worth saying: not every language bundle has such a text for every remedy. */
    public Text cost() {
        return Text.of("remedy." + id + ".cost");
    }

    /**
     * What the figure is of: what goes back or is allowed where that is known, else only what the remedy works on. A message does
     * not tell how much of a gap closes, so no such figure is given as a prediction. Empty where there is none.
     */
    public Optional<Text> gain() {
        return gainBytes.isPresent()
                ? Optional.of(Text.of("remedy." + id + ".gain.what", Text.size(gainBytes.getAsLong())))
                : Optional.empty();
    }

    /** How what it can free was worked out, where that is known. */
    public Text gainBasis() {
        return Text.of("remedy." + id + ".gain");
    }

    /** What it does not go with. */
    public Text conflicts() {
        return Text.of("remedy." + id + ".conflicts");
    }

    /** The same under another title. */
    public Remedy titled(Text other) {
        return new Remedy(id, other, command, why, live, gainBytes);
    }

    /** The same with what it can free. */
    public Remedy gaining(OptionalLong bytes) {
        return new Remedy(id, title, command, why, live, bytes);
    }

    /** The title of the remedy with this id. */
    public static Text titleOf(String id, Text.Argument... arguments) {
        return Text.of("remedy." + id + ".title", arguments);
    }

    /** The usual reason for the remedy with this id. */
    public static Text whyOf(String id, Text.Argument... arguments) {
        return Text.of("remedy." + id + ".why", arguments);
    }
}
