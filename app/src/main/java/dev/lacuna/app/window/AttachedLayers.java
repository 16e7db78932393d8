package dev.lacuna.app.window;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.LayerOrders;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.bridge.SwapControl;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.base.Words;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.planning.swap.layer.LayerAction;
import dev.lacuna.core.planning.swap.layer.LayerPolicy;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import dev.lacuna.ui.places.planner.pareto.LiveLayers;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.value.ObservableValue;

/** The layers of what the window is attached to, through a reading of its own. */
final class AttachedLayers implements LiveLayers {
    private static final Words WORDS = new Words("dev.lacuna.ui.text.app");
    private static final Duration LOOK = Duration.ofMillis(500);

    /** A trainer that has made no step in this time is not training. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TrainingProcesses processes;
    private final Session session;
    private final TaskExecutor executor;
    private final BooleanBinding available;

    AttachedLayers(TrainingProcesses processes, Session session, TaskExecutor executor) {
        this.processes = processes;
        this.session = session;
        this.executor = executor;
        this.available = Bindings.createBooleanBinding(
                () -> session.attachedProperty().get().isPresent(), session.attachedProperty());
    }

    /** A question to the agent, asked off the UI thread. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(SwapControl agent, BackgroundTask.Control control)
                throws BridgeException, RefusedException, InterruptedException;
    }

    @Override
    public ObservableValue<Boolean> available() {
        return available;
    }

    @Override
    public CompletableFuture<LayerProfile> measure() {
        int device = device();
        return ask((agent, control) -> measured(agent, device, control));
    }

    @Override
    public CompletableFuture<Boolean> apply(LayerPolicy policy) {
        int device = device();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        session.requestControl().whenComplete((allowed, fault) -> {
            if (fault != null) {
                done.completeExceptionally(fault);
            } else if (!allowed) {
                done.complete(false);
            } else {
                this.<Boolean>ask((agent, control) -> {
                            if (policy.count(LayerAction.SWAP) > 0
                                    && given(agent.facts(device)).setting().mode() == SwapMode.OFF) {
                                given(agent.set(device, Optional.of(SwapMode.ON), OptionalLong.empty()));
                            }
                            given(agent.tell(device, new LayerOrders.ByLayer(policy)));
                            return true;
                        })
                        .whenComplete((yes, why) -> {
                            if (why != null) {
                                done.completeExceptionally(why);
                            } else {
                                done.complete(yes);
                            }
                        });
            }
        });
        return done;
    }

    private static LayerProfile measured(SwapControl agent, int device, BackgroundTask.Control control)
            throws BridgeException, RefusedException, InterruptedException {
        ProfileReading reading = given(agent.profile(device, true));
        for (long waited = 0; waited < PATIENCE.toMillis() && !control.cancelled(); waited += LOOK.toMillis()) {
            boolean some = reading.profile().layers().stream().anyMatch(layer -> layer.steps() > 0);
            if (some && !reading.measuring()) {
                return reading.profile();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            reading = given(agent.profile(device, false));
        }
        throw new RefusedException(WORDS.of("layers.no.step", PATIENCE.toSeconds()));
    }

    private <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Optional<TrainingProcess> process = session.attachedProperty().get();
        if (process.isEmpty()) {
            answer.completeExceptionally(new RefusedException(WORDS.of("layers.nothing.attached")));
            return answer;
        }
        executor.execute(BackgroundTask.<T>controlled(control -> {
                    try (AttachedProcess attached =
                            processes.attach(process.get().pid())) {
                        SwapControl agent =
                                attached.swapping().orElseThrow(() -> new RefusedException(WORDS.of("layers.none")));
                        return question.ask(agent, control);
                    }
                })
                .onSuccess(answer::complete)
                .onFailure(answer::completeExceptionally));
        return answer;
    }

    private static <T> T given(Answer<T> answer) throws RefusedException {
        if (answer instanceof Answer.Given<T> given) {
            return given.value();
        }
        throw new RefusedException(WORDS.of("layers.refused", ((Answer.Refused<T>) answer).text()));
    }

    /** Of several devices the fullest; the host only where there is no other. */
    private int device() {
        return session.latestProperty()
                .get()
                .flatMap(sample -> sample.devices().stream()
                        .max(Comparator.<MemoryCounters, Boolean>comparing(
                                        c -> c.name().isAccelerator())
                                .thenComparing(MemoryCounters::reservedBytes)))
                .map(MemoryCounters::device)
                .orElse(0);
    }
}
