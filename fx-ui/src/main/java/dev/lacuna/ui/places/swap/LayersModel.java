package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.SwapFacts;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What of each layer is where, asked of the agent twice a second while somebody looks. UI thread only; no toolkit.
 */
final class LayersModel {
    private static final Duration PACE = Duration.ofMillis(500);

    private final Session session;
    private final TaskExecutor executor;
    private final Supplier<Integer> device;
    private final Runnable onChange;
    private TaskExecutor.Running next = () -> {};
    private Optional<LayerPlaces> layers = Optional.empty();
    private Optional<SwapFacts> facts = Optional.empty();
    private String refusal = "";
    private boolean shown;
    private boolean attached;
    private boolean factsNext = true;
    private int generation;

    LayersModel(Session session, TaskExecutor executor, Supplier<Integer> device, Runnable onChange) {
        this.session = session;
        this.executor = executor;
        this.device = device;
        this.onChange = onChange;
    }

    /** The newest answer; empty before the first. */
    Optional<LayerPlaces> layers() {
        return layers;
    }

    /** What the agent says of itself; empty before it has answered. */
    Optional<SwapFacts> facts() {
        return facts;
    }

    /** The agent's word where it refused to tell; else empty. */
    String refusal() {
        return refusal;
    }

    /** Whether anybody looks: only then is anything asked. */
    void show(boolean now) {
        shown = now;
        next.stop();
        if (shown && attached) {
            look(generation);
        }
    }

    /** Another process or device follows; there may be none. */
    void begin(boolean there) {
        attached = there;
        generation++;
        next.stop();
        layers = Optional.empty();
        facts = Optional.empty();
        refusal = "";
        if (attached && shown) {
            look(generation);
        }
    }

    private void look(int began) {
        int on = device.get();
        // The rules are there from the first forward on; until then both are asked by turns.
        boolean untold = facts.filter(now -> !now.rules().isEmpty()).isEmpty();
        boolean ofItself = facts.isEmpty() || untold && factsNext;
        factsNext = !ofItself;
        if (ofItself) {
            boolean first = facts.isEmpty();
            session.askSwapping(swapping -> swapping.facts(on)).whenComplete((answer, fault) -> {
                if (began == generation) {
                    facts = given(answer).or(() -> facts);
                    if (first) {
                        refusal = refusal(answer);
                    }
                    again(began);
                }
            });
        } else {
            session.askSwapping(swapping -> swapping.layers(on)).whenComplete((answer, fault) -> {
                if (began == generation) {
                    layers = given(answer).or(() -> layers);
                    refusal = refusal(answer);
                    again(began);
                }
            });
        }
    }

    /** What an answer gives; empty where it was refused or there was none. */
    private static <T> Optional<T> given(Answer<T> answer) {
        return answer instanceof Answer.Given<T> given ? Optional.of(given.value()) : Optional.empty();
    }

    private static <T> String refusal(Answer<T> answer) {
        return answer instanceof Answer.Refused<T> refused ? refused.code() : "";
    }

    private void again(int began) {
        onChange.run();
        if (shown) {
            next.stop();
            next = executor.after(PACE, () -> {
                if (began == generation && shown) {
                    look(began);
                }
            });
        }
    }
}
