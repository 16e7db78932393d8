package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProfileReading;
import dev.lacuna.core.base.Patience;
import dev.lacuna.core.planning.method.PlanningEffort;
import dev.lacuna.core.planning.swap.adaptive.LimitSpare;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptivePlan;
import dev.lacuna.core.planning.swap.layer.LayerMeasurement;
import dev.lacuna.core.planning.swap.layer.LayerProfile;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;

/**
 * Finds the fastest mix of keeping, swapping and recomputing: has the agent measure its layers, then lets every method plan
 * off the UI thread. UI thread only; no toolkit.
 */
public final class AdaptiveModel {
    /** How often a measurement under way is looked at: a step takes longer. */
    static final Duration LOOK = Duration.ofMillis(500);

    /** A trainer that has made no step in this time is not training. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Session session;
    private final TaskExecutor executor;
    private final Supplier<Integer> device;
    private final List<AdaptiveMethod> methods;
    private final ReadOnlyObjectWrapper<AdaptiveStatus> status = new ReadOnlyObjectWrapper<>(new AdaptiveStatus.Idle());
    private int generation;
    private BackgroundTask<?> planning = BackgroundTask.of(() -> true);

    AdaptiveModel(Session session, TaskExecutor executor, Supplier<Integer> device, List<AdaptiveMethod> methods) {
        this.session = session;
        this.executor = executor;
        this.device = device;
        this.methods = List.copyOf(methods);
    }

    /** How far it is. */
    public ReadOnlyObjectProperty<AdaptiveStatus> statusProperty() {
        return status.getReadOnlyProperty();
    }

    /** Whether it measures or plans. */
    public boolean isBusy() {
        return status.get() instanceof AdaptiveStatus.Measuring || status.get() instanceof AdaptiveStatus.Planning;
    }

    /** Begins, unless it is under way. */
    public void find() {
        if (isBusy()) {
            return;
        }
        int began = ++generation;
        status.set(new AdaptiveStatus.Measuring());
        measure(began, true, Duration.ZERO);
    }

    /** Gives it up; harmless when nothing is under way. */
    public void cancel() {
        if (isBusy()) {
            clear();
        }
    }

    /** Another process or device follows. */
    void clear() {
        generation++;
        planning.cancel();
        status.set(new AdaptiveStatus.Idle());
    }

    private void measure(int began, boolean fresh, Duration waited) {
        int on = device.get();
        session.askSwapping(swapping -> swapping.profile(on, fresh)).whenComplete((answer, fault) -> {
            if (began != generation) {
                return;
            }
            if (fault != null) {
                status.set(failed(fault));
            } else if (answer instanceof Answer.Refused<ProfileReading> refused) {
                status.set(failed(refused));
            } else if (answer instanceof Answer.Given<ProfileReading> given && isComplete(given.value())) {
                plan(began, given.value().profile());
            } else if (waited.compareTo(PATIENCE) >= 0) {
                status.set(new AdaptiveStatus.Failed("adaptive.failed.no.steps", ""));
            } else {
                executor.after(LOOK, () -> lookAgain(began, waited.plus(LOOK)));
            }
        });
    }

    private void lookAgain(int began, Duration waited) {
        if (began == generation) {
            measure(began, false, waited);
        }
    }

    private static boolean isComplete(ProfileReading measured) {
        List<LayerMeasurement> layers = measured.profile().layers();
        return !measured.measuring() && layers.stream().anyMatch(layer -> layer.steps() > 0);
    }

    private void plan(int began, LayerProfile profile) {
        status.set(new AdaptiveStatus.Planning(0, methods.size()));
        BackgroundTask<List<AdaptivePlan>> task = BackgroundTask.<List<AdaptivePlan>>controlled(
                        control -> plans(profile, methods, control))
                .onProgress(share -> {
                    if (began == generation && isBusy()) {
                        status.set(
                                new AdaptiveStatus.Planning((int) Math.round(share * methods.size()), methods.size()));
                    }
                })
                .onSuccess(plans -> {
                    if (began == generation) {
                        status.set(new AdaptiveStatus.Found(profile, plans, best(plans)));
                    }
                })
                .onFailure(fault -> {
                    if (began == generation) {
                        status.set(failed(fault));
                    }
                });
        planning = task;
        executor.execute(task);
    }

    private static List<AdaptivePlan> plans(
            LayerProfile profile, List<AdaptiveMethod> methods, BackgroundTask.Control control) {
        List<AdaptivePlan> plans = new ArrayList<>();
        for (AdaptiveMethod method : methods) {
            if (control.cancelled()) {
                break;
            }
            // As for a point in the Planner place; a search that is ended tells its best and the bound.
            long endNs = System.nanoTime() + PlanningEffort.QUICK.limit().toNanos();
            plans.add(method.plan(
                    profile,
                    LimitSpare.ofProcess(profile).plannable(profile.limitBytes()),
                    Patience.until(endNs, System::nanoTime, control::cancelled)));
            control.progress((double) plans.size() / methods.size());
        }
        return plans;
    }

    /** The fastest that fits; a proven one before an equally fast one. */
    private static Optional<AdaptivePlan> best(List<AdaptivePlan> plans) {
        return plans.stream()
                .filter(AdaptivePlan::fits)
                .min(Comparator.comparingLong(AdaptivePlan::stepNs)
                        .thenComparing(AdaptivePlan::proven, Comparator.reverseOrder()));
    }

    private static AdaptiveStatus failed(Answer.Refused<?> refused) {
        String key = switch (refused.code()) {
            case "unknown-verb", "busy", "denied", "no-device", Session.NO_CONTROL ->
                "adaptive.failed." + refused.code();
            default -> "adaptive.failed.refused";
        };
        return new AdaptiveStatus.Failed(key, refused.text());
    }

    private static AdaptiveStatus failed(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        return cause instanceof BridgeException
                ? new AdaptiveStatus.Failed("adaptive.failed.bridge", FaultText.of(cause))
                : new AdaptiveStatus.Failed("adaptive.failed.fault", String.valueOf(cause.getMessage()));
    }
}
