package dev.lacuna.ui.places.diagnose;

import dev.lacuna.bridge.Reply;
import dev.lacuna.ui.guard.RefusalText;
import dev.lacuna.ui.session.AppliedChange;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.binding.ObjectBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;

/** Applies remedies to the attached process, takes the last one back, and tells what came of it. UI thread only. */
final class RemedyActions {
    private static final Texts TEXTS = Texts.of("diagnose");

    private final Session session;
    private final Notices notices;
    private final LogOrigin origin;
    /** What the process answered to the last remedy. */
    private final ObjectProperty<Optional<Reply>> remedied = new SimpleObjectProperty<>(Optional.empty());
    /** Held here: the session holds what listens to it weakly. */
    private final ObjectBinding<Optional<AppliedChange>> lastChange;

    private final BooleanBinding canUndo;

    RemedyActions(Session session, Notices notices, LogOrigin origin) {
        this.origin = origin;
        this.session = session;
        this.notices = notices;
        lastChange = Bindings.createObjectBinding(
                () -> newest().filter(change ->
                        remedied.get().filter(reply -> reply == change.reply()).isPresent()),
                session.history(),
                remedied);
        canUndo = Bindings.createBooleanBinding(
                () -> session.canUndo() && session.connectionProperty().get().reachable(),
                session.history(),
                session.connectionProperty());
    }

    /** Whether this remedy can be applied to the attached process; follows the process and the language. */
    ObjectBinding<ApplyOffer> offerOf(RemedyWords remedy) {
        return Bindings.createObjectBinding(
                () -> ApplyOffer.of(
                        remedy,
                        origin.printerProperty().get(),
                        session.attachedProperty().get(),
                        session.connectionProperty().get(),
                        session.latestProperty().get()),
                origin.printerProperty(),
                session.attachedProperty(),
                session.connectionProperty(),
                session.latestProperty(),
                Texts.wordingProperty());
    }

    /** Applies a remedy to the attached process, with the operator's word, and tells what came of it. */
    void apply(RemedyWords remedy) {
        remedy.change()
                .map(change -> session.attachedProperty()
                        .get()
                        .map(to -> ApplyOffer.onUsualDevice(
                                change, to, session.latestProperty().get()))
                        .orElse(change))
                .ifPresent(change -> session.apply(change).whenComplete((reply, fault) -> {
                    remedied.set(Optional.ofNullable(reply));
                    tell(
                            reply,
                            fault,
                            TEXTS.get("apply.failed", remedy.title()),
                            TEXTS.get("apply.done", remedy.title()));
                }));
    }

    private Optional<AppliedChange> newest() {
        int count = session.history().size();
        return count == 0 ? Optional.empty() : Optional.of(session.history().get(count - 1));
    }

    /**
     * What the last remedy changed, while it can be undone: nothing was changed since. What was set elsewhere is no remedy for the log that
     * is looked at, and is taken back where it was set.
     */
    ObjectBinding<Optional<AppliedChange>> lastChangeBinding() {
        return lastChange;
    }

    /** Whether it can be taken back now: not of a process that has ended. */
    BooleanBinding canUndoBinding() {
        return canUndo;
    }

    /** Takes the last change back and tells what came of it. */
    void undo() {
        session.undo()
                .whenComplete((reply, fault) -> tell(reply, fault, TEXTS.get("undo.failed"), TEXTS.get("undo.done")));
    }

    /** An operator who just refused to give consent knows that nothing was done. */
    private void tell(Reply reply, Throwable fault, String failed, String done) {
        if (fault != null) {
            notices.fail(failed, FaultText.of(fault));
        } else if (reply instanceof Reply.Refused refused) {
            if (!refused.code().equals(Session.READ_ONLY)) {
                notices.fail(failed, why(refused));
            }
        } else if (reply instanceof Reply.Applied applied && applied.unreachedBytes() > 0) {
            notices.warn(done, TEXTS.get("apply.unreached", ByteText.of(applied.unreachedBytes())));
        } else {
            notices.inform(done);
        }
    }

    /** A remedy is never forced from here: the Live place asks for it, with its question. */
    private static String why(Reply.Refused refused) {
        return refused.byGuard() ? TEXTS.get("apply.guard", RefusalText.figures(refused.guard())) : refused.text();
    }
}
