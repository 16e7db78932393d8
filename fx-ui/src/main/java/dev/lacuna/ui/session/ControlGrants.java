package dev.lacuna.ui.session;

import dev.lacuna.bridge.TrainingProcess;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;

/**
 * Whether the operator has allowed this window to change the attached process. The word holds for that process as long as it stays attached:
 * neither for another one, nor for the same one when it is attached again, unless this window put an agent into it meanwhile.
 */
final class ControlGrants {
    private final ControlConsent consent;
    private final ReadOnlyObjectProperty<Optional<TrainingProcess>> attached;
    private final ReadOnlyBooleanWrapper controlAllowed = new ReadOnlyBooleanWrapper();
    /** How often something was attached or let go of: an answer belongs to the attachment that it was asked in. */
    private int attachments;

    ControlGrants(ControlConsent consent, ReadOnlyObjectProperty<Optional<TrainingProcess>> attached) {
        this.consent = consent;
        this.attached = attached;
    }

    /** Whether the attached process may be changed. */
    ReadOnlyBooleanProperty controlAllowedProperty() {
        return controlAllowed.getReadOnlyProperty();
    }

    /** Another attachment begins, or none. */
    void begin() {
        attachments++;
        controlAllowed.set(false);
    }

    /** Asks unless that was done; completes with whether it is allowed. */
    CompletionStage<Boolean> request() {
        Optional<TrainingProcess> process = attached.get();
        if (process.isEmpty() || controlAllowed.get()) {
            return CompletableFuture.completedFuture(controlAllowed.get());
        }
        int asked = attachments;
        return consent.ask(process.get()).thenApply(yes -> {
            boolean holds = yes && asked == attachments;
            if (holds) {
                controlAllowed.set(true);
            }
            return holds;
        });
    }

    /** The same process goes on being attached, by another agent: what the operator said of it holds. */
    void goOn() {
        controlAllowed.set(true);
    }

    /** Takes the word back. */
    void giveUp() {
        controlAllowed.set(false);
    }
}
