package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.Reply;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.text.Texts;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/**
 * One act of control: it can be done, undone and named.
 *
 * @param change what is asked of the agent
 * @param undoing whether it takes back the last change rather than making a new one
 */
public record ControlJob(Change change, boolean undoing) {
    /** Switches the optimisation of a device. */
    static ControlJob optimisation(int device, boolean on) {
        return new ControlJob(new Change(device, Optional.of(on), OptionalDouble.empty(), false), false);
    }

    /** Sets the memory fraction of a device. */
    static ControlJob fraction(int device, double fraction) {
        return new ControlJob(new Change(device, Optional.empty(), OptionalDouble.of(fraction), false), false);
    }

    /** The same, overriding the agent's guard as long as its figures are no worse than these. */
    ControlJob forced(Optional<GuardFigures> shown) {
        return new ControlJob(change.forced(shown), undoing);
    }

    /** The same, leaving it to the agent's guard. */
    ControlJob unforced() {
        return new ControlJob(change.unforced(), undoing);
    }

    /** Does it. An undoing job that was refused and is then forced is an ordinary change: it must be undoable again. */
    CompletableFuture<Reply> execute(Session session) {
        return undoing && !change.force() ? session.undo() : session.apply(change);
    }

    /** What it does, in the window's language, such as {@code memory fraction 0.94}. */
    public String description(Texts texts) {
        String what = change.optimisation()
                .map(on -> texts.get(on ? "job.optimisation.on" : "job.optimisation.off"))
                .orElseGet(() -> texts.get(
                        "job.fraction",
                        String.format(Locale.ROOT, "%.2f", change.fraction().orElse(1))));
        return undoing ? texts.get("job.undo", what) : what;
    }
}
