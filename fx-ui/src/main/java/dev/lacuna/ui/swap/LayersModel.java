package dev.lacuna.ui.swap;

import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * What of each layer is where, asked of the agent twice a second while somebody looks. UI thread only; no toolkit.
 */
final class LayersModel {
    private static final Duration PACE = Duration.ofMillis(500);

    private final SwapAgents agents;
    private final TaskExecutor executor;
    private final Supplier<Integer> device;
    private final Runnable onChange;
    private TaskExecutor.Running next = () -> {};
    private Optional<SwapAgent.Layers> layers = Optional.empty();
    private Optional<SwapAgent.Facts> facts = Optional.empty();
    private String refusal = "";
    private boolean shown;
    private boolean attached;
    private int generation;

    LayersModel(SwapAgents agents, TaskExecutor executor, Supplier<Integer> device, Runnable onChange) {
        this.agents = agents;
        this.executor = executor;
        this.device = device;
        this.onChange = onChange;
    }

    /** The newest answer; empty before the first. */
    Optional<SwapAgent.Layers> layers() {
        return layers;
    }

    /** What the agent says of itself; empty before it has answered. */
    Optional<SwapAgent.Facts> facts() {
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
        if (facts.isEmpty()) {
            agents.<SwapAgent.Facts>ask(agent -> agent.facts(on)).whenComplete((answer, fault) -> {
                if (began == generation) {
                    facts = Optional.ofNullable(answer);
                    after(began, fault);
                }
            });
        } else if (facts.get().known()) {
            agents.<SwapAgent.Layers>ask(agent -> agent.layers(on)).whenComplete((answer, fault) -> {
                if (began == generation) {
                    layers = Optional.ofNullable(answer).or(() -> layers);
                    after(began, fault);
                }
            });
        }
    }

    private void after(int began, Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        refusal = cause instanceof SwapAgent.RefusedException refused ? refused.code() : "";
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
