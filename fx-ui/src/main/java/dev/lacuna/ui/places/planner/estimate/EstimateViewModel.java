package dev.lacuna.ui.places.planner.estimate;

import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.RefusedException;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.estimate.Calibration;
import dev.lacuna.core.estimate.Estimate;
import dev.lacuna.core.estimate.Estimator;
import dev.lacuna.core.estimate.Measured;
import dev.lacuna.core.estimate.input.Arguments;
import dev.lacuna.core.estimate.input.EstimateInput;
import dev.lacuna.core.estimate.input.EstimateNote;
import dev.lacuna.core.estimate.input.Presets;
import dev.lacuna.core.estimate.term.Term;
import dev.lacuna.core.planning.TraceEstimate;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import dev.lacuna.ui.session.FaultText;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.task.TaskExecutor;
import dev.lacuna.ui.text.DeviceText;
import dev.lacuna.ui.text.FileFault;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.Notices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleStringProperty;
import javafx.beans.property.StringProperty;

/** What a configuration will need, as its fields are changed, and how that compares with the attached process. */
public final class EstimateViewModel {
    private static final Texts TEXTS = Texts.of("planner");
    private static final long USUAL_CAPACITY = 64L << 30;

    private final PlannerFiles files;
    private final TaskExecutor executor;
    private final Session session;
    private final Notices notices;
    private final RunFields fields = new RunFields();
    private final ReadOnlyStringWrapper source = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper fault = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<Optional<Estimate>> estimate = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<MemoryStack>> stacks = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<List<Term>> terms = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Optional<Calibration>> calibration =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<List<EstimateNote>> notes = new ReadOnlyObjectWrapper<>(List.of());
    private final StringProperty capacity = new SimpleStringProperty("");
    private final IntegerProperty chosen = new SimpleIntegerProperty(-1);
    private Optional<EstimateInput> input = Optional.empty();
    private Optional<TraceEstimate> trace = Optional.empty();
    private Supplier<String> called = () -> "";
    private Supplier<String> unreadable = () -> "";
    private boolean refreshing;

    public EstimateViewModel(PlannerFiles files, TaskExecutor executor, Session session, Notices notices) {
        this.files = files;
        this.executor = executor;
        this.session = session;
        this.notices = notices;
        for (javafx.beans.Observable field : fields.observables()) {
            field.addListener(any -> refresh());
        }
        chosen.addListener(any -> openTerms());
        Texts.wordingProperty().addListener(any -> {
            source.set(called.get());
            refresh();
        });
    }

    /** Names of what comes with the program. */
    List<String> presets() {
        return List.copyOf(Presets.names());
    }

    /** Layout and training, to override the input's. */
    RunFields fields() {
        return fields;
    }

    /** Where the input comes from; empty without one. */
    public ReadOnlyStringProperty sourceProperty() {
        return source.getReadOnlyProperty();
    }

    /** Why there is no estimate; empty when there is one. */
    ReadOnlyStringProperty faultProperty() {
        return fault.getReadOnlyProperty();
    }

    /** The estimate; empty without one, or from a trace. */
    ReadOnlyObjectProperty<Optional<Estimate>> estimateProperty() {
        return estimate.getReadOnlyProperty();
    }

    /** One bar per pipeline stage, or per rule of a trace. */
    ReadOnlyObjectProperty<List<MemoryStack>> stacksProperty() {
        return stacks.getReadOnlyProperty();
    }

    /** The numbers of the chosen bar and of the whole model, to be opened. */
    ReadOnlyObjectProperty<List<Term>> termsProperty() {
        return terms.getReadOnlyProperty();
    }

    /** What somebody should know of the input and of what the fields say, with or without an estimate. */
    ReadOnlyObjectProperty<List<EstimateNote>> notesProperty() {
        return notes.getReadOnlyProperty();
    }

    /** How the estimate compares with the process that was measured last. */
    ReadOnlyObjectProperty<Optional<Calibration>> calibrationProperty() {
        return calibration.getReadOnlyProperty();
    }

    /** Memory of the device, as typed; empty for that of the attached accelerator, else 64 GiB. */
    StringProperty capacityProperty() {
        return capacity;
    }

    /** The chosen bar, from 0; −1 without any. */
    IntegerProperty chosenProperty() {
        return chosen;
    }

    /** Memory of the device in bytes; empty while what is typed is no size. */
    OptionalLong capacityBytes() {
        if (capacity.get().isBlank()) {
            return OptionalLong.of(accelerator().map(MemoryCounters::totalBytes).orElse(USUAL_CAPACITY));
        }
        try {
            long bytes = ByteSize.parse(capacity.get().replace(" ", ""));
            return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    /** Whether nobody said what the device has. */
    boolean isCapacityAssumed() {
        return capacity.get().isBlank() && accelerator().isEmpty();
    }

    /** Whose memory the capacity is, for the line that shows it: somebody reads a verdict by it. */
    String capacityText(String amount) {
        if (!capacity.get().isBlank()) {
            return TEXTS.get("est.capacity.line", amount);
        }
        return accelerator()
                .map(device -> TEXTS.get("est.capacity.line.attached", amount, DeviceText.of(device.name())))
                .orElseGet(() -> TEXTS.get("est.capacity.line.usual", amount));
    }

    /** The host that plays a device, as in the demo, is no card that a model is planned for. */
    private Optional<MemoryCounters> accelerator() {
        return device().filter(device -> device.name().isAccelerator());
    }

    /** Whether there is an input that could be read. */
    public boolean isOpen() {
        return input.filter(given -> !given.isHollow()).isPresent() || trace.isPresent();
    }

    /** What a text without any setting lacks. */
    private static Optional<String> whyHollow(EstimateInput read) {
        if (!read.isHollow()) {
            return Optional.empty();
        }
        try {
            read.configuration(new Arguments(Map.of()));
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e.text(Texts.locale()));
        }
    }

    /** Whether the estimate comes from a trace or a graph. */
    boolean fromTrace() {
        return trace.isPresent();
    }

    /** Opens one of those that come with the program. */
    void openPreset(String name) {
        EstimateInput.ofPreset(name).ifPresent(preset -> accept(() -> name, Optional.of(preset), Optional.empty()));
    }

    /** Opens a file: arguments, a configuration, a trace or a graph, told apart by content. */
    public void open(String path) {
        read(() -> path, () -> EstimateReading.of(files, path));
    }

    /** Opens pasted arguments or configurations. */
    void paste(String text) {
        if (!text.isBlank()) {
            read(() -> TEXTS.get("mf.pasted"), () -> EstimateReading.of(text));
        }
    }

    /** Measures the attached process against the chosen stage; does nothing when none is attached. */
    void calibrate() {
        Optional<MemoryCounters> device = device();
        if (device.isEmpty() || input.isEmpty() || estimate.get().isEmpty()) {
            return;
        }
        Measured measured = Measured.of(device.get());
        try {
            calibration.set(
                    Optional.of(Calibration.of(input.get(), fields.arguments(), Math.max(0, chosen.get()), measured)));
        } catch (RefusedException e) {
            fault.set(e.text(Texts.locale()));
        }
    }

    /** Takes over what would explain the difference. */
    void take(Calibration.Explanation explanation) {
        fields.setFurther(fields.arguments().with(explanation.arguments()));
        RunFields.CHOICES.keySet().forEach(name -> fields.value(name).set(""));
        refresh();
        calibrate();
    }

    /** Whether a process is attached that can be measured. */
    Optional<MemoryCounters> device() {
        return session.latestProperty().get().map(Sample::devices).flatMap(Measured::device);
    }

    private void read(Supplier<String> name, Callable<EstimateReading> reading) {
        BackgroundTask<EstimateReading> task = BackgroundTask.of(reading);
        task.onSuccess(done -> {
                    Optional<String> hollow = done.input().flatMap(EstimateViewModel::whyHollow);
                    if (isOpen() && hollow.isPresent()) {
                        notices.fail(FileFault.kept(name.get()), hollow.get());
                    } else {
                        accept(name, done.input(), done.trace());
                    }
                })
                .onFailure(why -> {
                    if (isOpen()) {
                        notices.fail(FileFault.kept(name.get()), FaultText.of(why));
                        return;
                    }
                    accept(name, Optional.empty(), Optional.empty());
                    unreadable = () -> FaultText.of(why);
                    fault.set(unreadable.get());
                });
        executor.execute(task);
    }

    private void accept(
            Supplier<String> name, Optional<EstimateInput> configuration, Optional<TraceEstimate> recorded) {
        refreshing = true;
        fields.clear();
        refreshing = false;
        called = name;
        unreadable = () -> "";
        // First: who is told where it comes from asks whether it is open.
        input = configuration;
        trace = recorded;
        source.set(called.get());
        chosen.set(-1);
        calibration.set(Optional.empty());
        refresh();
    }

    private void refresh() {
        if (refreshing) {
            return;
        }
        fault.set(unreadable.get());
        notes.set(input.map(given -> given.notes(fields.arguments())).orElse(List.of()));
        estimate.set(Optional.empty());
        List<MemoryStack> bars = new ArrayList<>();
        trace.ifPresent(recorded -> bars.addAll(MemoryStack.of(recorded)));
        if (input.isPresent() && fields.valid()) {
            try {
                Estimate now = new Estimator(input.get().configuration(fields.arguments())).estimate();
                estimate.set(Optional.of(now));
                bars.addAll(MemoryStack.of(now));
            } catch (RefusedException e) {
                fault.set(e.text(Texts.locale()));
            }
        }
        if (input.isPresent() && !fields.valid()) {
            fault.set(TEXTS.get("est.fields.refused"));
        }
        stacks.set(List.copyOf(bars));
        boolean lost = chosen.get() < 0 || chosen.get() >= bars.size();
        if (lost) {
            chosen.set(estimate.get().map(now -> now.binding().stage()).orElse(bars.isEmpty() ? -1 : 0));
        }
        openTerms();
    }

    private void openTerms() {
        List<Term> now = new ArrayList<>();
        int bar = chosen.get();
        if (trace.isPresent() && bar >= 0 && bar < TraceEstimate.Rule.values().length) {
            now.add(trace.get().peaks().get(TraceEstimate.Rule.values()[bar]));
        }
        estimate.get().ifPresent(e -> {
            if (bar >= 0 && bar < e.stages().size()) {
                now.add(e.stages().get(bar).memory());
                now.addAll(e.stages().get(bar).beside());
            }
            now.addAll(e.ofModel());
        });
        terms.set(List.copyOf(now));
    }
}
