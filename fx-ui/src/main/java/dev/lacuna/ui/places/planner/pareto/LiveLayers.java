package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import java.util.concurrent.CompletableFuture;
import javafx.beans.value.ObservableValue;

/** The layers of the attached process. Called on the UI thread; everything completes there. */
public interface LiveLayers {
    /** Whether a process is attached that can be asked. */
    ObservableValue<Boolean> available();

    /** Measures over the next steps; completes exceptionally when it cannot, with a message for people. */
    CompletableFuture<LayerProfile> measure();

    /** Asks the operator, then tells the layers what to do from the next forward on; completes with whether that was done. */
    CompletableFuture<Boolean> apply(LayerPolicy policy);
}
