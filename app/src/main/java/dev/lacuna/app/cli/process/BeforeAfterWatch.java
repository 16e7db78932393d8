package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.WholeSteps;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.places.live.BeforeAfter;
import dev.lacuna.ui.places.live.Comparison;
import dev.lacuna.ui.places.live.StepChange;
import dev.lacuna.ui.places.live.StepFigures;
import dev.lacuna.ui.places.live.StepMeasure;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whole steps without the optimisation beside as many with it, as the window's Live compares them; the picture is of the memory meanwhile. */
final class BeforeAfterWatch implements WatchedFigures {
    private static final String HEADER = String.format(
            "%-9s %3s %6s  %-9s %12s %12s %10s  %-9s %12s %12s %10s  %8s %8s %8s %s",
            "DEVICE",
            "OPT",
            "STEP",
            "OFF",
            "PEAK",
            "GAP",
            "STEP TIME",
            "ON",
            "PEAK",
            "GAP",
            "STEP TIME",
            "PEAK",
            "GAP",
            "TIME",
            "VERDICT");

    private static final double NS_PER_MS = 1e6;

    private final ByDevice<Device> byDevice = new ByDevice<>(Device::new);
    private final MemoryWatch memory = new MemoryWatch();

    /** One device. */
    private static final class Device {
        private final String name;
        private final WholeSteps steps = new WholeSteps();
        private final BeforeAfter sides = new BeforeAfter();

        Device(String name) {
            this.name = name;
        }

        void add(MemoryCounters counters) {
            if (steps.add(counters)) {
                sides.add(steps);
            }
        }

        Stream<List<?>> rows() {
            return Stream.of(
                            sides.now().off().map(figures -> row("off", figures)),
                            sides.now().on().map(figures -> row("on", figures)))
                    .flatMap(Optional::stream);
        }

        private List<?> row(String optimisation, StepFigures figures) {
            return List.of(
                    name,
                    optimisation,
                    figures.window().firstStep(),
                    figures.window().lastStep(),
                    figures.window().steps(),
                    figures.gap().peakReservedBytes(),
                    figures.gap().bytes(),
                    figures.stepNs(),
                    String.format(Locale.ROOT, "%.3f", figures.remapsPerStep()));
        }
    }

    @Override
    public void add(Sample sample) {
        memory.add(sample);
        sample.devices().forEach(counters -> byDevice.of(counters).add(counters));
    }

    @Override
    public boolean isEmpty() {
        return byDevice.isEmpty();
    }

    @Override
    public String header() {
        return HEADER;
    }

    @Override
    public String row(MemoryCounters counters) {
        Comparison now = byDevice.of(counters).sides.now();
        return String.format(
                "%-9s %3s %6d  %s  %s  %8s %8s %8s %s",
                counters.name(),
                counters.optimisation() ? "on" : "off",
                counters.step(),
                side(now.off()),
                side(now.on()),
                change(now, StepMeasure.PEAK),
                change(now, StepMeasure.GAP),
                change(now, StepMeasure.TIME),
                now.verdict().id());
    }

    private static String side(Optional<StepFigures> side) {
        return String.format(
                "%-9s %12s %12s %10s",
                side.map(figures -> SampleJson.steps(figures.window())).orElse("-"),
                side.map(figures -> ByteSize.format(figures.gap().peakReservedBytes()))
                        .orElse("-"),
                side.map(figures -> ByteSize.format(figures.gap().bytes())).orElse("-"),
                side.map(figures -> String.format(Locale.ROOT, "%.1f ms", figures.stepNs() / NS_PER_MS))
                        .orElse("-"));
    }

    /** With a tilde where it may be noise. */
    private static String change(Comparison now, StepMeasure measure) {
        return now.change(measure)
                .map(change -> (change.isSure(measure.noise()) ? "" : "~")
                        + String.format(Locale.ROOT, "%+.1f%%", change.share() * 100))
                .orElse("-");
    }

    /** Null is what was not measured, and changes of what cannot be compared. */
    @Override
    public void write(JsonGenerator json, int number) throws IOException {
        Comparison now = byDevice.of(number).sides.now();
        write(json, "off", now.off());
        write(json, "on", now.on());
        json.writeStringField("verdict", now.verdict().id());
        for (StepMeasure measure : StepMeasure.values()) {
            Optional<StepChange> change = now.change(measure);
            String name = measure.key() + "_change";
            SampleJson.number(json, name, change.map(StepChange::share));
            SampleJson.number(json, name + "_low", change.map(StepChange::low));
            SampleJson.number(json, name + "_high", change.map(StepChange::high));
        }
    }

    private static void write(JsonGenerator json, String side, Optional<StepFigures> figures) throws IOException {
        json.writeStringField(
                side + "_steps", figures.map(f -> SampleJson.steps(f.window())).orElse(null));
        SampleJson.number(
                json, side + "_peak_reserved_bytes", figures.map(f -> f.gap().peakReservedBytes()));
        SampleJson.number(json, side + "_gap_bytes", figures.map(f -> f.gap().bytes()));
        SampleJson.number(json, side + "_step_ns", figures.map(StepFigures::stepNs));
        SampleJson.number(json, side + "_remaps_per_step", figures.map(StepFigures::remapsPerStep));
    }

    @Override
    public Table table() {
        return ChartFiles.table(
                List.of(
                        "device",
                        "optimisation",
                        "#first_step",
                        "#last_step",
                        "#steps",
                        "#peak_reserved_bytes",
                        "#gap_bytes",
                        "#step_ns",
                        "#remaps_per_step"),
                byDevice.all().flatMap(Device::rows));
    }

    @Override
    public byte[] picture() {
        return memory.picture();
    }
}
