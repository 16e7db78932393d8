package dev.lacuna.ui.session;

import dev.lacuna.bridge.TrainingProcess;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;

/** Which processes the operator has allowed this window to change: asked once per process, remembered when it is attached again. */
final class ControlGrants {
    private final ControlConsent consent;
    private final ReadOnlyObjectProperty<Optional<TrainingProcess>> attached;
    private final ReadOnlyBooleanWrapper controlAllowed = new ReadOnlyBooleanWrapper();
    private final Set<String> allowed = new HashSet<>();

    ControlGrants(ControlConsent consent, ReadOnlyObjectProperty<Optional<TrainingProcess>> attached) {
        this.consent = consent;
        this.attached = attached;
    }

    /** Whether the attached process may be changed. */
    ReadOnlyBooleanProperty controlAllowedProperty() {
        return controlAllowed.getReadOnlyProperty();
    }

    void attached(TrainingProcess process) {
        controlAllowed.set(allowed.contains(process.nameForGood()));
    }

    void detached() {
        controlAllowed.set(false);
    }

    /** Asks unless that was done; completes with whether it is allowed. */
    CompletionStage<Boolean> request() {
        Optional<TrainingProcess> process = attached.get();
        if (process.isEmpty() || controlAllowed.get()) {
            return CompletableFuture.completedFuture(controlAllowed.get());
        }
        return consent.ask(process.get()).thenApply(yes -> {
            if (yes) {
                allowed.add(process.get().nameForGood());
                controlAllowed.set(attached.get().equals(process));
            }
            return yes;
        });
    }

    /** Forgets that the attached process may be changed. */
    void giveUp() {
        attached.get().ifPresent(process -> allowed.remove(process.nameForGood()));
        controlAllowed.set(false);
    }
}
