package dev.lacuna.ui.swap;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.memory.SwapCounters;
import dev.lacuna.core.memory.SwapMode;
import dev.lacuna.core.swap.layer.LayerAction;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.ui.session.Session;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;

/** What is set here in a running process: what holds, what was asked, and the way back. UI thread only; no toolkit. */
public final class SwapControlModel {
    /** What was done, and what brings back what held before. */
    private record Undoable(SwapChange done, SwapChange inverse) {}

    private final Session session;
    private final Supplier<Integer> device;
    private final Clock clock;
    private final ReadOnlyObjectWrapper<SwapStatus> status = new ReadOnlyObjectWrapper<>(new SwapStatus.Idle());
    private final Deque<Undoable> past = new ArrayDeque<>();
    private final BooleanProperty hasPast = new SimpleBooleanProperty();
    private final BooleanBinding closed;
    private final BooleanBinding canUndo;
    private Optional<SwapCounters> latest = Optional.empty();
    private Optional<LayerPolicy> policy = Optional.empty();
    private int generation;

    SwapControlModel(Session session, Supplier<Integer> device, Clock clock) {
        this.session = session;
        this.device = device;
        this.clock = clock;
        this.closed = Bindings.createBooleanBinding(
                () -> status.get() instanceof SwapStatus.Pending
                        || !session.connectionProperty().get().reachable(),
                status,
                session.connectionProperty());
        this.canUndo = hasPast.and(closed.not());
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

    /** Tells every layer what to do, and turns swapping on first where that needs it. */
    public void setPolicy(LayerPolicy wanted) {
        Optional<SwapMode> held = latest.map(SwapCounters::mode);
        boolean swaps = wanted.count(LayerAction.SWAP) > 0;
        boolean turnsOn = swaps && held.filter(mode -> mode == SwapMode.OFF).isPresent();
        execute(
                new SwapChange.Policy(Optional.of(wanted), turnsOn ? Optional.of(SwapMode.ON) : Optional.empty()),
                new SwapChange.Policy(policy, turnsOn ? held : Optional.empty()));
    }

    /** Takes back every word to the layers. */
    public void dropPolicy() {
        if (policy.isPresent()) {
            execute(
                    new SwapChange.Policy(Optional.empty(), Optional.empty()),
                    new SwapChange.Policy(policy, Optional.empty()));
        }
    }

    /** Takes the last change back. */
    public void undo() {
        if (canUndo.get()) {
            Undoable last = past.getLast();
            send(last.inverse(), Optional.empty());
        }
    }

    /** Takes in the newest counters. */
    void observe(SwapCounters now) {
        boolean otherSettings = latest.filter(
                        then -> then.mode() != now.mode() || then.hostBudgetBytes() != now.hostBudgetBytes())
                .isPresent();
        latest = Optional.of(now);
        if (otherSettings && status.get() instanceof SwapStatus.Failed) {
            status.set(new SwapStatus.Idle());
        }
    }

    /** Takes in the policy that the agent says is in force. */
    void observe(Optional<LayerPolicy> inForce) {
        policy = inForce;
    }

    /** The policy in force, as far as it was read. */
    Optional<LayerPolicy> policyInForce() {
        return policy;
    }

    /** Another process or device follows. */
    void clear() {
        generation++;
        latest = Optional.empty();
        policy = Optional.empty();
        past.clear();
        hasPast.set(false);
        status.set(new SwapStatus.Idle());
    }

    private void execute(SwapChange change, SwapChange inverse) {
        send(change, Optional.of(new Undoable(change, inverse)));
    }

    /** @param undoable what it adds to the past; empty when it takes the newest of it back */
    private void send(SwapChange change, Optional<Undoable> undoable) {
        if (closed.get()) {
            return;
        }
        SwapStatus previous = status.get();
        int began = generation;
        boolean undoing = undoable.isEmpty();
        status.set(new SwapStatus.Pending(change, undoing));
        session.requestControl().whenComplete((yes, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(change, fault));
            } else if (yes) {
                ask(change, undoable, began);
            } else {
                // Whoever said no to the question needs no word about it.
                status.set(previous);
            }
        });
    }

    private void ask(SwapChange change, Optional<Undoable> undoable, int began) {
        int on = device.get();
        session.askSwapping(swapping -> applied(swapping, on, change)).whenComplete((answer, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(change, fault));
            } else if (answer instanceof Answer.Refused<SwapChange> refused) {
                status.set(new SwapStatus.Refused(change, refused.code(), refused.text()));
            } else if (answer instanceof Answer.Given<SwapChange> given) {
                settle(given.value(), undoable);
            }
        });
    }

    private void settle(SwapChange holds, Optional<Undoable> undoable) {
        undoable.ifPresentOrElse(past::addLast, past::removeLast);
        hasPast.set(!past.isEmpty());
        if (holds instanceof SwapChange.Policy now) {
            policy = now.policy();
        }
        status.set(new SwapStatus.Done(holds, undoable.isEmpty(), clock.instant()));
    }

    /** Off the UI thread; gives what holds then. */
    private static Answer<SwapChange> applied(SwapControl swapping, int device, SwapChange change)
            throws BridgeException {
        if (change instanceof SwapChange.Mode mode) {
            return holds(
                    swapping.set(device, Optional.of(mode.mode()), OptionalLong.empty()),
                    now -> new SwapChange.Mode(now.mode()));
        }
        if (change instanceof SwapChange.Budget budget) {
            return holds(
                    swapping.set(device, Optional.empty(), OptionalLong.of(budget.bytes())),
                    now -> new SwapChange.Budget(now.budgetBytes()));
        }
        return told(swapping, device, (SwapChange.Policy) change);
    }

    /** A policy that swaps is told after swapping is on, and taken back before it is off. */
    private static Answer<SwapChange> told(SwapControl swapping, int device, SwapChange.Policy change)
            throws BridgeException {
        boolean turnsOff = change.needed().equals(Optional.of(SwapMode.OFF));
        if (change.needed().isPresent() && !turnsOff) {
            Answer<SwapSetting> on = swapping.set(device, change.needed(), OptionalLong.empty());
            if (on instanceof Answer.Refused<SwapSetting> refused) {
                return refused(refused);
            }
        }
        Answer<SwapChange> answer = holds(swapping.policy(device, change.policy()), before -> change);
        boolean refused = answer instanceof Answer.Refused<SwapChange>;
        // Refused, a policy changes nothing: swapping that was turned on for it alone is off again.
        if (turnsOff && !refused || refused && change.needed().isPresent() && !turnsOff) {
            swapping.set(device, Optional.of(SwapMode.OFF), OptionalLong.empty());
        }
        return answer;
    }

    private static <T> Answer<SwapChange> holds(Answer<T> answer, Function<T, SwapChange> meaning) {
        return answer instanceof Answer.Given<T> given
                ? new Answer.Given<>(meaning.apply(given.value()))
                : refused((Answer.Refused<T>) answer);
    }

    private static Answer<SwapChange> refused(Answer.Refused<?> refused) {
        return new Answer.Refused<>(refused.code(), refused.text());
    }

    private static SwapStatus failed(SwapChange change, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return new SwapStatus.Failed(
                change, cause instanceof BridgeException bridge ? bridge.reason() : BridgeException.Reason.SYSTEM);
    }
}
