package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.bridge.NamedPhases;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.Phase;
import dev.lacuna.core.base.counters.StepWindow;
import dev.lacuna.core.base.counters.SwapCounters;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The flat object that {@code watch --json} and {@code demo --no-window} print per device and sample. */
final class SampleJson {
    private final StepWindows windows = new StepWindows();
    private final Optional<PhaseWatch> phases;
    private final Optional<WatchedFigures> figures;

    SampleJson() {
        this(Optional.empty(), Optional.empty());
    }

    /**
     * @param phases tells what each process does by name; without it there are no such members
     * @param figures what else is told of each device; likewise
     */
    SampleJson(Optional<PhaseWatch> phases, Optional<WatchedFigures> figures) {
        this.phases = phases;
        this.figures = figures;
    }

    /** The lines of the next sample, one a device. */
    List<String> lines(Sample sample) {
        return sample.devices().stream()
                .map(c -> line(sample, c, windows.after(c)))
                .toList();
    }

    private String line(Sample sample, MemoryCounters counters, Optional<StepWindow> window) {
        return JsonLine.of(json -> {
            json.writeStartObject();
            json.writeNumberField("time_ms", sample.timeMs());
            json.writeNumberField("pid", sample.pid());
            json.writeNumberField("device", counters.device());
            json.writeStringField("backend", counters.backend().label());
            json.writeNumberField("index", counters.backendIndex());
            json.writeNumberField("reserved_bytes", counters.reservedBytes());
            json.writeNumberField("allocated_bytes", counters.allocatedBytes());
            json.writeNumberField("requested_bytes", counters.requestedBytes());
            json.writeNumberField("active_bytes", counters.activeBytes());
            json.writeNumberField("limit_bytes", counters.limitBytes());
            json.writeNumberField("fraction", counters.fraction());
            json.writeStringField("optimisation", counters.optimisation() ? "on" : "off");
            json.writeStringField("policy", counters.policy().label());
            json.writeStringField("phase", phase(counters.phases()));
            json.writeNumberField("step", counters.step());
            json.writeNumberField("lost_events", sample.lostEvents());
            json.writeNumberField("gap_now_bytes", counters.gapNowBytes());
            gap(json, window);
            swap(json, counters.swap());
            if (phases.isPresent()) {
                named(json, phases.get().innermost(counters.device()));
            }
            if (figures.isPresent()) {
                figures.get().write(json, counters.device());
            }
            json.writeEndObject();
        });
    }

    private static void named(JsonGenerator json, Optional<NamedPhases.Phase> phase) throws IOException {
        if (phase.isEmpty()) {
            for (String name : List.of(
                    "phase_name", "phase_peak_allocated_bytes", "phase_peak_reserved_bytes", "phase_gap_bytes")) {
                json.writeNullField(name);
            }
            return;
        }
        json.writeStringField("phase_name", phase.get().name());
        json.writeNumberField("phase_peak_allocated_bytes", phase.get().peakAllocatedBytes());
        json.writeNumberField("phase_peak_reserved_bytes", phase.get().peakReservedBytes());
        json.writeNumberField("phase_gap_bytes", phase.get().gapBytes());
    }

    private static void swap(JsonGenerator json, SwapCounters swap) throws IOException {
        json.writeStringField("swap", swap.mode().label());
        json.writeNumberField("host_budget_bytes", swap.hostBudgetBytes());
        json.writeNumberField("host_used_bytes", swap.hostUsedBytes());
        json.writeNumberField("swapping_out_bytes", swap.swappingOutBytes());
        json.writeNumberField("swapping_in_bytes", swap.swappingInBytes());
        json.writeNumberField("swapped_out_bytes", swap.swappedOutBytes());
        json.writeNumberField("swapped_in_bytes", swap.swappedInBytes());
        json.writeNumberField("copy_ns", swap.copyNs());
        json.writeNumberField("stall_ns", swap.stallNs());
        json.writeNumberField("rescues", swap.rescues());
        json.writeNumberField("rescued_bytes", swap.rescuedBytes());
        json.writeNumberField("copy_failures", swap.copyFailures());
        json.writeNumberField("host_refusals", swap.hostRefusals());
    }

    /** A number that is not always there. */
    static void number(JsonGenerator json, String name, Optional<? extends Number> value) throws IOException {
        if (value.isPresent()) {
            json.writeFieldName(name);
            json.writeNumber(String.valueOf(value.get()));
        } else {
            json.writeNullField(name);
        }
    }

    private static void gap(JsonGenerator json, Optional<StepWindow> window) throws IOException {
        if (window.isEmpty()) {
            json.writeNullField("gap_bytes");
            json.writeNullField("gap_steps");
            return;
        }
        json.writeNumberField("gap_bytes", window.get().gap().bytes());
        json.writeStringField("gap_steps", steps(window.get()));
    }

    /** Such as {@code 101-120}. */
    static String steps(StepWindow window) {
        return window.firstStep() + "-" + window.lastStep();
    }

    /** The innermost open phase: a forward lies within a step, set-up within either. */
    static String phase(Set<Phase> open) {
        if (open.contains(Phase.SETUP)) {
            return Phase.SETUP.label();
        }
        if (open.contains(Phase.FORWARD)) {
            return Phase.FORWARD.label();
        }
        return open.contains(Phase.STEP) ? Phase.STEP.label() : "none";
    }
}
