package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.FoundProcess;
import java.util.concurrent.CompletionStage;

/** Asks the operator, before the first touch, whether a process that was not prepared may be attached. */
@FunctionalInterface
public interface AttachQuestion {
    /** Asks on the UI thread; the stage completes there with the answer. */
    CompletionStage<Boolean> ask(FoundProcess process);
}
