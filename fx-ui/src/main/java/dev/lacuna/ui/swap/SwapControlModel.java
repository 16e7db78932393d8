package dev.lacuna.ui.swap;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.core.memory.SwapCounters;
import dev.lacuna.core.memory.SwapMode;
import dev.lacuna.core.swap.layer.LayerPolicy;
import dev.lacuna.ui.session.Session;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
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
    private final SwapAgents agents;
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

    SwapControlModel(Session session, SwapAgents agents, Supplier<Integer> device, Clock clock) {
        this.session = session;
        this.agents = agents;
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
        return status.get() instanceof SwapStatus.Pending pending
                        && pending.change() instanceof SwapChange.Mode asked
                ? asked.mode()
                : latest.map(SwapCounters::mode).orElse(SwapMode.OFF);
    }

    /** The budget to show, as {@link #shownMode}. */
    public long shownBudgetBytes() {
        return status.get() instanceof SwapStatus.Pending pending
                        && pending.change() instanceof SwapChange.Budget asked
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
        boolean swaps = wanted.count(dev.lacuna.core.swap.layer.LayerAction.SWAP) > 0;
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
        agents.<SwapChange>ask(agent -> applied(agent, on, change)).whenComplete((holds, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(change, fault));
                return;
            }
            undoable.ifPresentOrElse(past::addLast, past::removeLast);
            hasPast.set(!past.isEmpty());
            if (holds instanceof SwapChange.Policy now) {
                policy = now.policy();
            }
            status.set(new SwapStatus.Done(holds, undoable.isEmpty(), clock.instant()));
        });
    }

    /** Off the UI thread; yields what holds then. A policy that swaps is set after swapping is on, and taken back before. */
    private static SwapChange applied(SwapAgent agent, int device, SwapChange change)
            throws BridgeException, SwapAgent.RefusedException {
        if (change instanceof SwapChange.Mode mode) {
            return new SwapChange.Mode(
                    agent.set(device, Optional.of(mode.mode()), OptionalLong.empty()).mode());
        }
        if (change instanceof SwapChange.Budget budget) {
            return new SwapChange.Budget(agent.set(device, Optional.empty(), OptionalLong.of(budget.bytes()))
                    .budgetBytes());
        }
        SwapChange.Policy told = (SwapChange.Policy) change;
        boolean off = told.needed().filter(mode -> mode == SwapMode.OFF).isPresent();
        if (!off && told.needed().isPresent()) {
            agent.set(device, told.needed(), OptionalLong.empty());
        }
        agent.policy(device, told.policy());
        if (off) {
            agent.set(device, told.needed(), OptionalLong.empty());
        }
        return told;
    }

    private static SwapStatus failed(SwapChange change, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof SwapAgent.RefusedException refused) {
            return new SwapStatus.Refused(change, refused.code(), String.valueOf(refused.getMessage()));
        }
        return new SwapStatus.Failed(
                change, cause instanceof BridgeException bridge ? bridge.reason() : BridgeException.Reason.SYSTEM);
    }
}
