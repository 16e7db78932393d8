package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.Reply;
import dev.lacuna.core.base.counters.PoolPolicy;
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
 * @param kind whether it makes a new change, takes the last one back, or does again what was taken back
 */
public record ControlJob(Change change, Kind kind) {
    /** The kinds. */
    public enum Kind {
        NEW,
        UNDO,
        REDO
    }

    /** Whether it takes back the last change. */
    public boolean undoing() {
        return kind == Kind.UNDO;
    }

    /** Switches the optimisation of a device. */
    static ControlJob optimisation(int device, boolean on) {
        return new ControlJob(new Change(device, Optional.of(on), OptionalDouble.empty(), false), Kind.NEW);
    }

    /** Has lifetimes on a device told apart by these rules. */
    static ControlJob policy(int device, PoolPolicy policy) {
        Change nothing = new Change(device, Optional.empty(), OptionalDouble.empty(), false);
        return new ControlJob(nothing.by(Optional.of(policy)), Kind.NEW);
    }

    /** Sets the memory fraction of a device. */
    static ControlJob fraction(int device, double fraction) {
        return new ControlJob(new Change(device, Optional.empty(), OptionalDouble.of(fraction), false), Kind.NEW);
    }

    /** The same, overriding the agent's guard as long as its figures are no worse than these. */
    ControlJob forced(Optional<GuardFigures> shown) {
        return new ControlJob(change.forced(shown), kind);
    }

    /** The same, leaving it to the agent's guard. */
    ControlJob unforced() {
        return new ControlJob(change.unforced(), kind);
    }

    /** Does it. A job that was refused and is then forced is an ordinary change: it must be undoable again. */
    CompletableFuture<Reply> execute(Session session) {
        if (change.force()) {
            return session.apply(change);
        }
        return switch (kind) {
            case NEW -> session.apply(change);
            case UNDO -> session.undo();
            case REDO -> session.redo();
        };
    }

    /** What it does, in the window's language, such as {@code memory fraction 0.94}. */
    public String description(Texts texts) {
        String what = change.optimisation()
                .map(on -> texts.get(on ? "job.optimisation.on" : "job.optimisation.off"))
                .or(() -> change.policy().map(policy -> texts.get("job.policy." + policy.label())))
                .orElseGet(() -> texts.get(
                        "job.fraction",
                        String.format(Locale.ROOT, "%.2f", change.fraction().orElse(1))));
        return switch (kind) {
            case NEW -> what;
            case UNDO -> texts.get("job.undo", what);
            case REDO -> texts.get("job.redo", what);
        };
    }
}
