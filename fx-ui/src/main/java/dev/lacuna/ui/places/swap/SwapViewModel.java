package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.CopyPlace;
import dev.lacuna.bridge.LayerPlaces;
import dev.lacuna.bridge.Sample;
import dev.lacuna.bridge.SwapFacts;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.planning.swap.adaptive.method.AdaptiveMethod;
import dev.lacuna.core.planning.swap.conflict.LacunaFeature;
import dev.lacuna.core.planning.swap.conflict.SwapConflict;
import dev.lacuna.core.planning.swap.conflict.SwapConflicts;
import dev.lacuna.ui.session.AttachedDevice;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.TaskExecutor;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Swapping of one device of the attached process. Takes in every sample and answers what the view asks for at its own pace.
 * UI thread only; no toolkit.
 */
public final class SwapViewModel extends AttachedDevice {
    private final Session session;
    private final long hostMemoryBytes;
    private final SwapHistory history = new SwapHistory();
    private final SwapControlModel control;
    private final AdaptiveModel adaptive;
    private final LayersModel layers;
    private boolean cannotSwap;

    /**
     * @param methods what plans
     * @param hostMemoryBytes the machine's memory
     */
    public SwapViewModel(
            Session session, TaskExecutor executor, List<AdaptiveMethod> methods, long hostMemoryBytes, Clock clock) {
        super(session, clock);
        this.session = session;
        this.hostMemoryBytes = hostMemoryBytes;
        this.control = new SwapControlModel(session, deviceProperty()::get, clock);
        this.adaptive = new AdaptiveModel(session, executor, deviceProperty()::get, methods);
        this.layers = new LayersModel(session, executor, deviceProperty()::get, this::takeLayers);
        control.statusProperty().addListener((property, before, now) -> {
            if (now instanceof SwapStatus.Refused refused && refused.code().equals("no-device")) {
                cannotSwap = true;
            }
        });
    }

    /** Its settings. */
    public SwapControlModel control() {
        return control;
    }

    /** The search for the fastest mix. */
    public AdaptiveModel adaptive() {
        return adaptive;
    }

    /** What was counted over time. */
    public SwapHistory history() {
        return history;
    }

    /** What swapping counts now. */
    public Optional<SwapCounters> swap() {
        return counters().map(MemoryCounters::swap);
    }

    /** Where the layers' bytes are; empty before the agent has told. */
    public Optional<LayerPlaces> layers() {
        return layers.layers();
    }

    /** The agent's word where it refuses to tell of its layers; else empty. */
    public String layersRefusal() {
        return layers.refusal();
    }

    /** Which processors copies are kept to; empty until the agent has told of itself. */
    public Optional<CopyPlace> copies() {
        return layers.facts().map(SwapFacts::copies);
    }

    /** The rules by which the process could choose for each saved tensor; none until the agent has told. */
    public List<String> rules() {
        return layers.facts().map(SwapFacts::rules).orElse(List.of());
    }

    /** The machine's memory, bytes. */
    public long hostMemoryBytes() {
        return hostMemoryBytes;
    }

    /** Whether there is anything to show and steer. */
    public SwapPresence presence() {
        if (session.attachedProperty().get().isEmpty()) {
            return SwapPresence.NO_PROCESS;
        }
        if (session.attachedProperty().get().filter(TrainingProcess::isStock).isPresent()) {
            return SwapPresence.STOCK;
        }
        if (counters().isEmpty()) {
            return SwapPresence.WAITING;
        }
        if (cannotSwap) {
            return SwapPresence.NO_DEVICE;
        }
        if (layers.refusal().equals("unknown-verb")) {
            return SwapPresence.OLD_AGENT;
        }
        return swap().filter(now -> now.hostBudgetBytes() > 0 || now.mode() != SwapMode.OFF)
                        .isPresent()
                ? SwapPresence.THERE
                : SwapPresence.NOT_LOADED;
    }

    /** The command line that starts the attached process so that it can swap. */
    public String commandThatSwaps() {
        return session.attachedProperty()
                .get()
                .map(process -> SwapCommand.of(process.command()))
                .orElse(SwapCommand.of(""));
    }

    /**
     * What of the attached process's own settings meets what this place does, the worst first, as far as its command line
     * tells; what gets on well is left out.
     *
     * @param features what is to be done
     */
    public List<SwapConflict> conflicts(Set<LacunaFeature> features) {
        Set<LacunaFeature> ours = EnumSet.copyOf(features);
        if (counters().filter(MemoryCounters::optimisation).isPresent()) {
            ours.add(LacunaFeature.POOLS);
        }
        String command =
                session.attachedProperty().get().map(TrainingProcess::command).orElse("");
        return SwapConflicts.of(Arguments.parse(command), ours).stream()
                .filter(conflict -> conflict.severity() != SwapConflict.Severity.TOGETHER)
                .toList();
    }

    /** Whether anybody looks: only then is the agent asked. */
    public void show(boolean now) {
        layers.show(now);
    }

    private void takeLayers() {
        layers.layers().ifPresent(now -> control.observe(now.orders()));
    }

    @Override
    protected void add(Sample sample, MemoryCounters now) {
        history.add(sample, now);
        control.observe(now);
    }

    @Override
    protected void forget() {
        cannotSwap = false;
        history.clear();
        control.clear();
        adaptive.clear();
        layers.begin(session.attachedProperty().get().isPresent());
    }
}
