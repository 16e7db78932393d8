package dev.lacuna.app.cli.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.LinkImage;
import dev.lacuna.bridge.Sample;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.counters.MemoryCounters;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.diagnosis.report.Table;
import dev.lacuna.ui.places.swap.LinkFrames;
import dev.lacuna.ui.places.swap.LinkUse;
import dev.lacuna.ui.places.swap.StepCopies;
import dev.lacuna.ui.places.swap.SwapHistory;
import dev.lacuna.ui.places.swap.SwapText;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What moves between devices and the host over time, added up as the window's Swap place does it. The picture is of the device that moved most. */
final class SwapWatch implements WatchedFigures {
    private static final String HEADER = String.format(
            "%-9s %-4s %12s %12s %12s %8s %8s %10s %10s %8s %8s %6s",
            "DEVICE",
            "SWAP",
            "ON HOST",
            "OUT",
            "BACK IN",
            "LINK OUT",
            "LINK IN",
            "HIDDEN",
            "WAITED",
            "RESCUES",
            "TROUBLES",
            "STEP");

    private static final long SECOND_NS = 1_000_000_000L;
    private static final double NS_PER_MS = 1e6;

    /** What a spreadsheet still opens. */
    private static final int MOST_ROWS = 32_768;

    private final ByDevice<Device> byDevice = new ByDevice<>(Device::new);

    /** One device. */
    private static final class Device {
        private final String name;
        private final SwapHistory history = new SwapHistory();
        private SwapCounters newest = SwapCounters.NONE;
        private long wallLessMonotonicMs;

        Device(String name) {
            this.name = name;
        }

        void add(Sample sample, MemoryCounters counters) {
            history.add(sample, counters);
            newest = counters.swap();
            wallLessMonotonicMs = sample.timeMs() - Math.round(sample.monotonicNs() / NS_PER_MS);
        }

        long movedBytes() {
            return newest.swappedOutBytes() + newest.swappedInBytes();
        }

        Optional<LinkUse> lastSecond() {
            return LinkUse.newest(history, SECOND_NS);
        }

        Stream<List<?>> rows() {
            return LinkUse.all(history, MOST_ROWS).stream().map(this::row);
        }

        private List<?> row(LinkUse use) {
            return List.of(
                    name,
                    Math.round(use.fromNs() / NS_PER_MS) + wallLessMonotonicMs,
                    Math.round(use.outBytes()),
                    Math.round(use.inBytes()),
                    share(use.outShare()),
                    share(use.inShare()),
                    String.format(Locale.ROOT, "%.3f", history.stallNs(use.fromNs(), use.toNs()) / NS_PER_MS));
        }

        private static String share(double share) {
            return String.format(Locale.ROOT, "%.4f", share);
        }
    }

    @Override
    public void add(Sample sample) {
        sample.devices().forEach(counters -> byDevice.of(counters).add(sample, counters));
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
        Device device = byDevice.of(counters);
        SwapCounters swap = counters.swap();
        Optional<LinkUse> link = device.lastSecond();
        Optional<StepCopies> copies = StepCopies.of(device.history);
        return String.format(
                "%-9s %-4s %12s %12s %12s %8s %8s %10s %10s %8d %8d %6d",
                counters.name(),
                swap.mode().label(),
                ByteSize.format(swap.hostUsedBytes()),
                ByteSize.format(swap.swappedOutBytes()),
                ByteSize.format(swap.swappedInBytes()),
                link.map(use -> LinkFrames.percent(use.outShare())).orElse("-"),
                link.map(use -> LinkFrames.percent(use.inShare())).orElse("-"),
                copies.map(step -> SwapText.milliseconds(step.hiddenNs())).orElse("-"),
                copies.map(step -> SwapText.milliseconds(step.exposedNs())).orElse("-"),
                swap.rescues(),
                swap.hostRefusals() + swap.copyFailures(),
                counters.step());
    }

    /** Null before anything was copied, and before a step has ended. */
    @Override
    public void write(JsonGenerator json, int number) throws IOException {
        Device device = byDevice.of(number);
        Optional<LinkUse> link = device.lastSecond();
        SampleJson.number(
                json,
                "link_bytes_per_second",
                link.map(use -> Math.round(device.history.measuredRate().orElse(0))));
        SampleJson.number(json, "link_out_share", link.map(LinkUse::outShare));
        SampleJson.number(json, "link_in_share", link.map(LinkUse::inShare));
        Optional<StepCopies> copies = StepCopies.of(device.history);
        SampleJson.number(json, "copy_steps", copies.map(StepCopies::steps));
        SampleJson.number(json, "copy_step_ns", copies.map(StepCopies::stepNs));
        SampleJson.number(json, "copy_hidden_ns", copies.map(StepCopies::hiddenNs));
        SampleJson.number(json, "copy_exposed_ns", copies.map(StepCopies::exposedNs));
    }

    @Override
    public Table table() {
        return ChartFiles.table(
                List.of("device", "#time_ms", "#out_bytes", "#in_bytes", "#out_share", "#in_share", "#waited_ms"),
                byDevice.all().flatMap(Device::rows));
    }

    @Override
    public byte[] picture() {
        Device most =
                byDevice.all().max(Comparator.comparingLong(Device::movedBytes)).orElseThrow();
        return LinkImage.png(most.name, most.history);
    }
}
