package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.ui.guard.Expiry;
import dev.lacuna.ui.guard.ForceQuestion;
import dev.lacuna.ui.guard.GuardRefusal;
import dev.lacuna.ui.guard.RefusalText;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.Session;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;

/** What is set here in a running process: what holds, what was asked, and the way back. UI thread only; no toolkit. */
public final class SwapControlModel {
    private final Session session;
    private final Supplier<Integer> device;
    private final Clock clock;
    private final ReadOnlyObjectWrapper<SwapStatus> status = new ReadOnlyObjectWrapper<>(new SwapStatus.Idle());
    private final Deque<SwapRequest.Undoable> past = new ArrayDeque<>();
    private final Deque<SwapRequest.Undoable> undone = new ArrayDeque<>();
    private final BooleanProperty hasPast = new SimpleBooleanProperty();
    private final BooleanProperty hasUndone = new SimpleBooleanProperty();
    private final BooleanBinding closed;
    private final BooleanBinding canUndo;
    private final BooleanBinding canRedo;
    private Optional<MemoryCounters> counters = Optional.empty();
    private Optional<SwapCounters> latest = Optional.empty();
    private Optional<SwapRequest> last = Optional.empty();
    private LayerOrders orders = new LayerOrders.None();
    private int generation;
    /** How often something was asked of the agent: a question belongs to one refusal. */
    private int asked;

    SwapControlModel(Session session, Supplier<Integer> device, Clock clock) {
        this.session = session;
        this.device = device;
        this.clock = clock;
        this.closed = Bindings.createBooleanBinding(
                () -> status.get() instanceof SwapStatus.Pending
                        || !session.connectionProperty().get().reachable(),
                status,
                session.connectionProperty());
        session.connectionProperty().addListener((property, before, now) -> {
            if (now.kind() == ConnectionState.Kind.GONE) {
                watch(refusal -> refusal.ended(Expiry.ENDED));
            }
        });
        this.canUndo = hasPast.and(closed.not());
        this.canRedo = hasUndone.and(closed.not());
    }

    /** How the last act of control went. */
    public ReadOnlyObjectProperty<SwapStatus> statusProperty() {
        return status.getReadOnlyProperty();
    }

    /** Whether nothing can be asked now: an answer is awaited, or no change would reach the process. */
    public BooleanBinding closedBinding() {
        return closed;
    }

    /** Whether there is a change to take back. */
    public BooleanBinding canUndoBinding() {
        return canUndo;
    }

    /** Whether there is a change to do again. */
    public BooleanBinding canRedoBinding() {
        return canRedo;
    }

    /** The mode to show: what was asked for while the answer is awaited, else what holds. */
    public SwapMode shownMode() {
        return status.get() instanceof SwapStatus.Pending pending && pending.change() instanceof SwapChange.Mode asked
                ? asked.mode()
                : latest.map(SwapCounters::mode).orElse(SwapMode.OFF);
    }

    /** The budget to show, as {@link #shownMode}. */
    public long shownBudgetBytes() {
        return status.get() instanceof SwapStatus.Pending pending && pending.change() instanceof SwapChange.Budget asked
                ? asked.bytes()
                : latest.map(SwapCounters::hostBudgetBytes).orElse(0L);
    }

    /** Sets what may leave; nothing happens when it already is so. */
    public void setMode(SwapMode mode) {
        latest.filter(now -> now.mode() != mode)
                .ifPresent(now -> execute(new SwapChange.Mode(mode), new SwapChange.Mode(now.mode())));
    }

    /**
     * Sets the most that the host may hold.
     *
     * @param bytes ≥ 1; others, and what already holds, change nothing
     */
    public void setBudget(long bytes) {
        latest.filter(now -> bytes >= 1 && now.hostBudgetBytes() != bytes)
                .ifPresent(now -> execute(new SwapChange.Budget(bytes), new SwapChange.Budget(now.hostBudgetBytes())));
    }

    /** Has the layers do as is said, and turns swapping on first where that needs it; nothing where nothing is in force or wanted. */
    public void tell(LayerOrders wanted) {
        if (wanted instanceof LayerOrders.None && orders instanceof LayerOrders.None) {
            return;
        }
        Optional<SwapMode> held = latest.map(SwapCounters::mode);
        boolean swaps = wanted.rule().isPresent()
                || wanted.policy().filter(p -> p.count(LayerAction.SWAP) > 0).isPresent();
        boolean turnsOn = swaps && held.filter(mode -> mode == SwapMode.OFF).isPresent();
        execute(
                new SwapChange.Layers(wanted, turnsOn ? Optional.of(SwapMode.ON) : Optional.empty()),
                new SwapChange.Layers(orders, turnsOn ? held : Optional.empty()));
    }

    /** Takes the last change back. */
    public void undo() {
        if (canUndo.get()) {
            send(new SwapRequest(past.getLast().inverse(), Optional.empty(), Optional.empty()));
        }
    }

    /** Does again what was taken back last. */
    public void redo() {
        if (canRedo.get()) {
            SwapRequest.Undoable next = undone.getLast();
            send(new SwapRequest(next.done(), Optional.of(next), Optional.empty()));
        }
    }

    /**
     * Sets the lowest fraction under which the guard would accept what it refused; the session's history has the way back. What
     * was refused can be asked for again then.
     */
    public void setLowestSafe() {
        OptionalDouble safe = refused()
                .flatMap(SwapStatus.Refused::guard)
                .map(GuardRefusal::lowestSafe)
                .orElse(OptionalDouble.empty());
        if (safe.isPresent() && !closed.get()) {
            raise(safe.getAsDouble());
        }
    }

    /** Asks once more for what the guard refused, without insisting: its figures may be others now. */
    public void askAgain() {
        if (refused().flatMap(SwapStatus.Refused::guard).isPresent()) {
            last.ifPresent(request -> send(request.overriding(Optional.empty())));
        }
    }

    /**
     * The question whether to insist on what the guard refused: the only way to do so. Empty unless its refusal still holds.
     */
    public Optional<ForceQuestion> askToForce() {
        Optional<TrainingProcess> process = session.attachedProperty().get();
        Optional<SwapStatus.Refused> refused = refused().filter(SwapStatus.Refused::canForce);
        if (refused.isEmpty() || process.isEmpty() || last.isEmpty() || closed.get()) {
            return Optional.empty();
        }
        SwapStatus.Refused now = refused.get();
        GuardRefusal refusal = now.guard().orElseThrow();
        SwapRequest request = last.get();
        int number = asked;
        return Optional.of(new ForceQuestion(
                process.get(),
                () -> SwapText.description(now.change(), now.undoing()),
                () -> RefusalText.figures(refusal),
                Bindings.createBooleanBinding(() -> asked == number && canForce(), status, closed),
                () -> send(request.overriding(Optional.of(refusal)))));
    }

    private Optional<SwapStatus.Refused> refused() {
        return status.get() instanceof SwapStatus.Refused refused ? Optional.of(refused) : Optional.empty();
    }

    private boolean canForce() {
        return refused().filter(SwapStatus.Refused::canForce).isPresent() && !closed.get();
    }

    /** A refusal that holds no more is another status; the same one stays the same. */
    private void watch(UnaryOperator<GuardRefusal> look) {
        if (status.get() instanceof SwapStatus.Refused refused && refused.canForce()) {
            Optional<GuardRefusal> seen = refused.guard().map(look);
            if (!seen.equals(refused.guard())) {
                status.set(new SwapStatus.Refused(
                        refused.change(), refused.undoing(), refused.code(), refused.text(), seen));
            }
        }
    }

    /** Takes in the newest counters. */
    void observe(MemoryCounters all) {
        counters = Optional.of(all);
        SwapCounters now = all.swap();
        boolean otherSettings = latest.filter(
                        then -> then.mode() != now.mode() || then.hostBudgetBytes() != now.hostBudgetBytes())
                .isPresent();
        latest = Optional.of(now);
        if (otherSettings && status.get() instanceof SwapStatus.Failed) {
            status.set(new SwapStatus.Idle());
        }
        watch(refusal -> refusal.seen(all));
    }

    /** Takes in what the agent says is in force. */
    void observe(LayerOrders inForce) {
        orders = inForce;
    }

    /** What is in force, as far as it was read. */
    LayerOrders ordersInForce() {
        return orders;
    }

    /** Another process or device follows. */
    void clear() {
        generation++;
        asked++;
        counters = Optional.empty();
        latest = Optional.empty();
        last = Optional.empty();
        orders = new LayerOrders.None();
        past.clear();
        undone.clear();
        showPast();
        status.set(new SwapStatus.Idle());
    }

    private void execute(SwapChange change, SwapChange inverse) {
        send(new SwapRequest(change, Optional.of(new SwapRequest.Undoable(change, inverse)), Optional.empty()));
    }

    private void send(SwapRequest request) {
        if (closed.get()) {
            return;
        }
        SwapStatus previous = status.get();
        int began = generation;
        asked++;
        last = Optional.of(request);
        status.set(new SwapStatus.Pending(request.change(), request.undoing()));
        session.requestControl().whenComplete((yes, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(request.change(), fault));
            } else if (yes) {
                ask(request, began);
            } else {
                // Whoever said no to the question needs no word about it.
                status.set(previous);
            }
        });
    }

    private void ask(SwapRequest request, int began) {
        int on = device.get();
        session.askSwapping(swapping -> request.apply(swapping, on)).whenComplete((answer, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(request.change(), fault));
            } else if (answer instanceof Answer.Refused<SwapChange> refused) {
                Change asked = SwapRequest.asked(on, request.change());
                status.set(new SwapStatus.Refused(
                        request.change(),
                        request.undoing(),
                        refused.code(),
                        refused.text(),
                        standing(refused.code(), asked, refused.guard())));
            } else if (answer instanceof Answer.Given<SwapChange> given) {
                settle(given.value(), request);
            }
        });
    }

    private Optional<GuardRefusal> standing(String code, Change asked, Optional<GuardFigures> reported) {
        return counters.filter(now -> code.equals(Reply.WOULD_FAIL)).map(now -> GuardRefusal.of(asked, reported, now));
    }

    private void settle(SwapChange holds, SwapRequest request) {
        request.undoable().ifPresentOrElse(this::done, () -> undone.addLast(past.removeLast()));
        showPast();
        if (holds instanceof SwapChange.Layers now) {
            orders = now.orders();
        }
        status.set(new SwapStatus.Done(
                holds, request.undoing(), clock.instant(), request.overriding().isPresent()));
    }

    /** What was undone can be done again until something else is done. */
    private void done(SwapRequest.Undoable change) {
        boolean again = !undone.isEmpty() && undone.getLast() == change;
        if (again) {
            undone.removeLast();
        } else {
            undone.clear();
        }
        past.addLast(change);
    }

    private void showPast() {
        hasPast.set(!past.isEmpty());
        hasUndone.set(!undone.isEmpty());
    }

    /** The fraction is not swapping's: it goes the way of the Live place, whose undo takes it back. */
    private void raise(double fraction) {
        asked++;
        SwapStatus previous = status.get();
        int began = generation;
        SwapChange.Fraction change = new SwapChange.Fraction(fraction);
        status.set(new SwapStatus.Pending(change, false));
        session.apply(SwapRequest.asked(device.get(), change)).whenComplete((reply, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(change, fault));
            } else if (reply instanceof Reply.Refused refused) {
                boolean saidNo = refused.code().equals(Session.READ_ONLY);
                status.set(saidNo ? previous : new SwapStatus.Refused(change, refused.code(), refused.text()));
            } else {
                status.set(new SwapStatus.Done(change, false, clock.instant()));
            }
        });
    }

    private static SwapStatus failed(SwapChange change, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return new SwapStatus.Failed(
                change, cause instanceof BridgeException bridge ? bridge.reason() : BridgeException.Reason.SYSTEM);
    }
}
