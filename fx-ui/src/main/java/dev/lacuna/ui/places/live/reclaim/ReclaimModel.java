package dev.lacuna.ui.places.live.reclaim;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.CacheEmptied;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleBooleanProperty;

/** Has a process with an agent give unused memory back, move what outlives steps, or let go of it. UI thread only; no toolkit. */
public final class ReclaimModel {
    private static final Texts TEXTS = Texts.of("reclaim");

    private final Session session;
    private final ReadOnlyObjectWrapper<Optional<Compaction>> compaction =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper status = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper leavable = new ReadOnlyBooleanWrapper();
    private final BooleanProperty withSwitch = new SimpleBooleanProperty();
    private final BooleanBinding possible;
    private boolean asking;
    private boolean askedToBeLeft;

    public ReclaimModel(Session session) {
        this.session = session;
        possible = Bindings.createBooleanBinding(
                () -> process().isPresent()
                        && session.connectionProperty().get().reachable(),
                session.attachedProperty(),
                session.connectionProperty());
        session.attachedProperty().addListener((property, before, now) -> begin());
    }

    /** Whether a switch of the optimisation is to be followed by compaction, which asks as ever. */
    public BooleanProperty withSwitchProperty() {
        return withSwitch;
    }

    /** The process, where it has an agent that can be told. */
    public Optional<TrainingProcess> process() {
        return session.attachedProperty().get().filter(process -> process.control() && !process.isStock());
    }

    /** Whether it can be told anything now. */
    BooleanBinding possibleBinding() {
        return possible;
    }

    /** Whether the agent came while it ran, and can be taken out again. */
    ReadOnlyBooleanProperty leavableProperty() {
        return leavable.getReadOnlyProperty();
    }

    /** What came of compaction since it was asked for here. */
    ReadOnlyObjectProperty<Optional<Compaction>> compactionProperty() {
        return compaction.getReadOnlyProperty();
    }

    /** How the last thing that was asked went; empty where {@link #compactionProperty} tells. */
    ReadOnlyStringProperty statusProperty() {
        return status.getReadOnlyProperty();
    }

    /** Has it give back what no tensor is in. */
    void emptyCache(int device) {
        told(session.act(process -> process.emptyCache(device, false)), done -> {
            compaction.set(Optional.empty());
            status.set(TEXTS.get("emptied", ByteText.of(freed(done))));
        });
    }

    /**
     * Has it move what outlives steps to where the switch points.
     *
     * @param atOnce at the end of one step; else a twentieth of the training's time
     */
    void compact(int device, boolean atOnce) {
        status.set("");
        told(session.act(process -> answer(process, control -> control.ask(device, atOnce))), asked -> look(device));
    }

    /** Has its agent go, and lets go of it: from then on there is nobody to be asked. */
    void takeOut() {
        told(session.act(AttachedProcess::leave), held -> session.detach());
    }

    /** It is being looked at: what is under way is asked for again. */
    public void refresh(int device) {
        if (!askedToBeLeft && possible.get()) {
            askedToBeLeft = true;
            lookWhetherItCanBeLeft();
        }
        boolean goesOn = compaction
                .get()
                .filter(now -> now.state() == Compaction.State.ASKED || now.state() == Compaction.State.RUNNING)
                .isPresent();
        if (goesOn && possible.get()) {
            look(device);
        }
    }

    /** What compaction came to, in sentences. */
    List<String> stayed() {
        return compaction.get().map(done -> done.stayedTexts(Texts.locale())).orElse(List.of());
    }

    private void look(int device) {
        if (asking) {
            return;
        }
        asking = true;
        Optional<TrainingProcess> whose = process();
        CompletableFuture<Answer<Compaction>> answer =
                session.ask(process -> answer(process, control -> control.state(device)));
        answer.whenComplete((done, fault) -> asking = false);
        told(answer, now -> {
            if (whose.equals(process())) {
                compaction.set(Optional.of(now));
            }
        });
    }

    /** Asked by who looks, because at the moment of attaching nobody can be asked yet. */
    private void lookWhetherItCanBeLeft() {
        Optional<TrainingProcess> whose = process();
        CompletableFuture<Answer<Boolean>> answer = session.ask(process -> new Answer.Given<>(process.canBeLeft()));
        answer.whenComplete((known, fault) -> {
            if (!whose.equals(process())) {
                return;
            }
            askedToBeLeft = fault == null;
            leavable.set(known instanceof Answer.Given<Boolean> given && given.value());
        });
    }

    private static long freed(CacheEmptied done) {
        return Math.max(
                0,
                done.before().getOrDefault("reserved_bytes", 0L) - done.after().getOrDefault("reserved_bytes", 0L));
    }

    private <T> void told(CompletableFuture<Answer<T>> asked, Consumer<T> given) {
        asked.whenComplete((answer, fault) -> {
            if (fault != null) {
                status.set(FaultText.of(fault));
            } else if (answer instanceof Answer.Given<T> done) {
                given.accept(done.value());
            } else {
                Answer.Refused<T> refused = (Answer.Refused<T>) answer;
                status.set(TEXTS.get("refused", refused.code(), refused.text()));
            }
        });
    }

    private interface Question<T> {
        Answer<T> ask(CompactionControl control) throws BridgeException;
    }

    private static <T> Answer<T> answer(AttachedProcess process, Question<T> question) throws BridgeException {
        Optional<CompactionControl> control = process.compaction();
        return control.isPresent() ? question.ask(control.get()) : Session.cannotBeAsked();
    }

    private void begin() {
        compaction.set(Optional.empty());
        status.set("");
        askedToBeLeft = false;
        leavable.set(false);
    }
}
