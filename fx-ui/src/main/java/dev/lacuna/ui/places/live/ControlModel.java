package dev.lacuna.ui.places.live;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.Reply;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.DeviceName;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.PoolPolicy;
import dev.lacuna.core.base.counters.RecommendedFraction;
import dev.lacuna.ui.guard.Expiry;
import dev.lacuna.ui.guard.ForceQuestion;
import dev.lacuna.ui.guard.GuardRefusal;
import dev.lacuna.ui.guard.RefusalText;
import dev.lacuna.ui.session.AppliedChange;
import dev.lacuna.ui.session.ConnectionState;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.text.Texts;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;

/** The settings of a running process: what holds, what was asked, and the way back. UI thread only. */
public final class ControlModel {
    private static final Texts TEXTS = Texts.of("live");

    private final Session session;
    private final Clock clock;
    private final ReadOnlyObjectWrapper<ControlStatus> status = new ReadOnlyObjectWrapper<>(new ControlStatus.Idle());
    private final BooleanBinding canUndo;
    private final BooleanBinding canRedo;
    private final BooleanBinding busy;
    private final BooleanBinding closed;
    private final ReadOnlyStringWrapper instead = new ReadOnlyStringWrapper("");
    private Runnable onSwitched = () -> {};
    private Optional<MemoryCounters> latest = Optional.empty();
    /** The optimisation is switched on there as soon as its agent tells of it. */
    private Optional<DeviceName> awaited = Optional.empty();
    /** How often something was asked of the agent: a question belongs to one refusal. */
    private int asked;

    ControlModel(Session session, Clock clock) {
        this.session = session;
        this.clock = clock;
        this.busy = Bindings.createBooleanBinding(() -> status.get() instanceof ControlStatus.Pending, status);
        session.connectionProperty().addListener((property, before, now) -> {
            if (now.kind() == ConnectionState.Kind.LIVE && before.kind() != ConnectionState.Kind.LIVE) {
                forgetFailure();
            }
            if (now.kind() == ConnectionState.Kind.GONE) {
                watch(refusal -> refusal.ended(Expiry.ENDED));
            }
        });
        this.closed = Bindings.createBooleanBinding(
                () -> busy.get() || !session.connectionProperty().get().reachable(),
                busy,
                session.connectionProperty());
        this.canUndo =
                Bindings.createBooleanBinding(() -> session.canUndo() && !closed.get(), session.history(), closed);
        this.canRedo = Bindings.createBooleanBinding(
                () -> !session.undone().isEmpty() && !closed.get(), session.undone(), closed);
    }

    /** How the last act of control went. */
    public ReadOnlyObjectProperty<ControlStatus> statusProperty() {
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

    /** Whether the process has ended, or can be reached no more: nothing can be changed again. */
    public boolean isOver() {
        return switch (session.connectionProperty().get().kind()) {
            case GONE, FAILED -> true;
            case NONE, LIVE, STALE, STOPPED -> false;
        };
    }

    /** What the fraction should be, once there is a sample. */
    public Optional<RecommendedFraction> recommendation() {
        return latest.map(RecommendedFraction::of);
    }

    /** Switches the optimisation; nothing happens when it already is so. */
    public void switchOptimisation(boolean on) {
        latest.filter(now -> now.optimisation() != on)
                .ifPresent(now -> execute(ControlJob.optimisation(now.device(), on)));
    }

    /**
     * Switches the optimisation on once Lacuna's pools are there; where they cannot come, what can be had without them.
     *
     * @param pools has them come, in an agent that is attached then
     */
    void switchOnWith(Supplier<CompletableFuture<Answer<TrainingProcess>>> pools) {
        if (closed.get() || latest.isEmpty()) {
            return;
        }
        asked++;
        instead.set("");
        ControlStatus previous = status.get();
        DeviceName device = latest.get().name();
        ControlStatus.Pending pending =
                new ControlStatus.Pending(ControlJob.optimisation(latest.get().device(), true));
        status.set(pending);
        pools.get().whenComplete((answer, fault) -> {
            if (answer instanceof Answer.Given) {
                awaited = Optional.of(device);
                status.set(pending);
            } else if (status.get() == pending) {
                status.set(fault != null ? failed(pending.job(), fault) : previous);
                if (answer instanceof Answer.Refused<TrainingProcess> refused) {
                    withoutPools(pending.job(), refused);
                }
            }
        });
    }

    private void withoutPools(ControlJob job, Answer.Refused<TrainingProcess> refused) {
        switch (refused.code()) {
            case Session.READ_ONLY, Session.NOT_ATTACHED -> {}
            // It opens by itself, later: nothing else is done in its place.
            case "no-step" ->
                status.set(new ControlStatus.Refused(job, refused.code(), refused.text(), Optional.empty()));
            default -> {
                execute(job);
                instead.set(TEXTS.get("status.instead", refused.code(), refused.text()));
            }
        }
    }

    /** Calls this whenever the process has said that its optimisation is switched as it was told. */
    void onSwitched(Runnable action) {
        onSwitched = action;
    }

    /** Why Lacuna's pools did not come where the optimisation was switched on without them; else empty. */
    ReadOnlyStringProperty insteadProperty() {
        return instead.getReadOnlyProperty();
    }

    /** Has lifetimes told apart by these rules; nothing happens when they already are. */
    public void choosePolicy(PoolPolicy policy) {
        latest.filter(now -> now.policy() != policy).ifPresent(now -> execute(ControlJob.policy(now.device(), policy)));
    }

    /**
     * Sets the memory fraction.
     *
     * @param fraction 0 &lt; fraction ≤ 1; others change nothing
     */
    public void setFraction(double fraction) {
        if (fraction > 0 && fraction <= 1) {
            latest.ifPresent(now -> execute(ControlJob.fraction(now.device(), fraction)));
        }
    }

    /** Sets the recommended fraction. */
    public void applyRecommended() {
        recommendation().ifPresent(r -> setFraction(r.fraction()));
    }

    /** Sets the lowest fraction that the guard that refused would accept. */
    public void setLowestSafe() {
        if (status.get() instanceof ControlStatus.Refused refused) {
            refused.guard().map(GuardRefusal::lowestSafe).ifPresent(safe -> safe.ifPresent(this::setFraction));
        }
    }

    /** Asks once more for what the guard refused, without insisting: its figures may be others now. */
    public void askAgain() {
        if (status.get() instanceof ControlStatus.Refused refused
                && refused.guard().isPresent()) {
            execute(refused.job().unforced());
        }
    }

    /**
     * The question whether to insist on what the guard refused: the only way to do so. Empty unless its refusal still holds.
     */
    public Optional<ForceQuestion> askToForce() {
        if (!(status.get() instanceof ControlStatus.Refused refused) || !canForce()) {
            return Optional.empty();
        }
        int number = asked;
        GuardRefusal refusal = refused.guard().orElseThrow();
        return session.attachedProperty()
                .get()
                .map(process -> new ForceQuestion(
                        process,
                        () -> refused.job().description(TEXTS),
                        () -> RefusalText.figures(refusal),
                        Bindings.createBooleanBinding(() -> asked == number && canForce(), status, closed),
                        () -> execute(refused.job().forced(refusal.figures()))));
    }

    private boolean canForce() {
        return status.get() instanceof ControlStatus.Refused refused && refused.canForce() && !closed.get();
    }

    /** Takes the last change back. */
    public void undo() {
        if (canUndo.get()) {
            AppliedChange last = session.history().get(session.history().size() - 1);
            execute(new ControlJob(last.inverse(), ControlJob.Kind.UNDO));
        }
    }

    /** Does again what was taken back last. */
    public void redo() {
        if (canRedo.get()) {
            AppliedChange next = session.undone().get(session.undone().size() - 1);
            execute(new ControlJob(next.asked(), ControlJob.Kind.REDO));
        }
    }

    /** Takes in the newest counters: what was applied is in full effect from the next step on. */
    void observe(MemoryCounters now) {
        boolean otherSettings = latest.filter(then -> then.optimisation() != now.optimisation()
                        || then.policy() != now.policy()
                        || then.fraction() != now.fraction())
                .isPresent();
        latest = Optional.of(now);
        switchOnWhatCame(now);
        if (otherSettings) {
            forgetFailure();
            forgetWhatHoldsNoMore(now);
        }
        if (status.get() instanceof ControlStatus.Applied applied && now.step() > applied.step()) {
            status.set(new ControlStatus.InEffect(applied.job(), applied.at(), unreachedBytes(now)));
        } else if (status.get() instanceof ControlStatus.InEffect done && done.unreachedBytes() > 0) {
            status.set(new ControlStatus.InEffect(done.job(), done.at(), unreachedBytes(now)));
        }
        watch(refusal -> refusal.seen(now));
    }

    /** An agent has just come, and tells of its device for the first time. */
    private void switchOnWhatCame(MemoryCounters now) {
        Optional<DeviceName> device = awaited;
        awaited = Optional.empty();
        device.ifPresent(name -> {
            status.set(new ControlStatus.Idle());
            if (name.equals(now.name())) {
                switchOptimisation(true);
            }
        });
    }

    private static long unreachedBytes(MemoryCounters now) {
        return Math.max(0, now.reservedBytes() - now.limitBytes());
    }

    /** A refusal that holds no more is another status; the same one stays the same. */
    private void watch(UnaryOperator<GuardRefusal> look) {
        if (status.get() instanceof ControlStatus.Refused refused && refused.canForce()) {
            Optional<GuardRefusal> seen = refused.guard().map(look);
            if (!seen.equals(refused.guard())) {
                status.set(new ControlStatus.Refused(refused.job(), refused.code(), refused.text(), seen));
            }
        }
    }

    /** Somebody else, at a command line, has set it differently since. */
    private void forgetWhatHoldsNoMore(MemoryCounters now) {
        if (status.get() instanceof ControlStatus.InEffect done
                && !holds(done.job().change(), now)) {
            status.set(new ControlStatus.Idle());
        }
    }

    private static boolean holds(Change asked, MemoryCounters now) {
        return asked.optimisation().orElse(now.optimisation()) == now.optimisation()
                && asked.policy().orElse(now.policy()) == now.policy()
                && asked.fraction().orElse(now.fraction()) == now.fraction();
    }

    /** A failure is no news any more once the process answers again or holds other settings. */
    private void forgetFailure() {
        if (status.get() instanceof ControlStatus.Failed) {
            status.set(new ControlStatus.Idle());
        }
    }

    /** Another process or device follows. */
    void clear() {
        asked++;
        latest = Optional.empty();
        awaited = Optional.empty();
        instead.set("");
        status.set(new ControlStatus.Idle());
    }

    private void execute(ControlJob job) {
        if (closed.get()) {
            return;
        }
        asked++;
        instead.set("");
        ControlStatus previous = status.get();
        ControlStatus.Pending pending = new ControlStatus.Pending(job);
        status.set(pending);
        job.execute(session).whenComplete((reply, fault) -> {
            if (status.get() == pending) {
                status.set(fault != null ? failed(job, fault) : answered(job, reply, previous));
                if (reply instanceof Reply.Applied
                        && job.change().optimisation().isPresent()) {
                    onSwitched.run();
                }
            }
        });
    }

    private ControlStatus answered(ControlJob job, Reply reply, ControlStatus previous) {
        if (reply instanceof Reply.Applied applied) {
            long step = latest.map(MemoryCounters::step).orElse(0L);
            boolean marked = step > 0
                    || latest.map(now -> now.phases().contains(Phase.STEP)).orElse(false);
            return new ControlStatus.Applied(job, clock.instant(), step, marked, applied.unreachedBytes());
        }
        Reply.Refused refused = (Reply.Refused) reply;
        // Whoever said no to the question needs no word about it.
        return refused.code().equals(Session.READ_ONLY)
                ? previous
                : new ControlStatus.Refused(job, refused.code(), refused.text(), standing(job, refused));
    }

    private Optional<GuardRefusal> standing(ControlJob job, Reply.Refused refused) {
        return latest.filter(now -> refused.byGuard()).map(now -> GuardRefusal.of(job.change(), refused.guard(), now));
    }

    private static ControlStatus failed(ControlJob job, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return new ControlStatus.Failed(
                job, cause instanceof BridgeException bridge ? bridge.reason() : BridgeException.Reason.SYSTEM);
    }
}
