package dev.lacuna.ui.session;

import dev.lacuna.bridge.TrainingProcess;
import java.util.concurrent.CompletionStage;

/** Asks the operator, each time that a process was attached and is to be changed, whether this window may change a running training process. */
@FunctionalInterface
public interface ControlConsent {
    /** Asks on the UI thread; the stage completes there with the answer. */
    CompletionStage<Boolean> ask(TrainingProcess process);
}
