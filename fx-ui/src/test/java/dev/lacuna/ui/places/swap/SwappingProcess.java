package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.core.base.counters.SwapCounters;
import dev.lacuna.core.base.counters.SwapMode;
import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.base.event.MemoryEvents;
import dev.lacuna.ui.fakes.Counters;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.fakes.FakeSwapControl;
import java.util.Optional;
import java.util.OptionalLong;

/** A stand-in process that swaps: a test lets it make steps, each with a time on the link and a time waited for it. */
public final class SwappingProcess {
    static final long PID = 48213;
    static final long MS = 1_000_000;
    static final long MIB = 1L << 20;

    final FakeProcesses machine;
    private final TrainingProcess process;
    private SwapCounters counted = new SwapCounters(SwapMode.OFF, 8L << 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private long nowNs = 1_000 * MS;
    private long step;
    private long lowestSafe = 4L << 30;

    public SwappingProcess(FakeProcesses machine, String command) {
        this.machine = machine;
        process = machine.start(PID, command);
        tell();
    }

    public TrainingProcess process() {
        return process;
    }

    FakeSwapControl control() {
        return machine.of(PID).swapControl();
    }

    /** Has it swap from now on, whoever asked. */
    public void swap() throws BridgeException {
        control().set(Change.swapping(0, Optional.of(SwapMode.ON), OptionalLong.empty()));
    }

    /** It was started without what swaps. */
    void withoutPython() {
        counted = SwapCounters.NONE;
        tell();
    }

    /** The lowest safe cap that it tells from now on. */
    void lowestSafe(long bytes) {
        lowestSafe = bytes;
    }

    /** Sends a sample at which nothing has happened. */
    public void rest() {
        settings();
        nowNs += 50 * MS;
        machine.of(PID).send(nowNs, MemoryEvents.NONE);
    }

    /** Makes a step of 200 ms that copies so many MiB out and back in so much time, of which so much was waited for. */
    public void step(long mib, long copyMs, long stallMs) {
        count(0, 0, 0, mib, copyMs, stallMs);
        settings();
        nowNs += 200 * MS;
        step++;
        tell();
        machine.of(PID).send(nowNs, ended());
    }

    /** Counts what a following step tells. */
    void trouble(long rescues, long failures, long refusals) {
        count(rescues, failures, refusals, 0, 0, 0);
        tell();
    }

    long nowNs() {
        return nowNs;
    }

    SwapCounters counted() {
        return counted;
    }

    /** The agent tells in its telemetry what was set through its socket. */
    private void settings() {
        if (counted.hostBudgetBytes() > 0) {
            count(0, 0, 0, 0, 0, 0);
        }
        tell();
    }

    private void count(long rescues, long failures, long refusals, long mib, long copyMs, long stallMs) {
        counted = new SwapCounters(
                control().mode(),
                control().budgetBytes(),
                mib * MIB,
                0,
                0,
                counted.swappedOutBytes() + mib * MIB,
                counted.swappedInBytes() + mib * MIB,
                counted.copyNs() + copyMs * MS,
                counted.stallNs() + stallMs * MS,
                counted.rescues() + rescues,
                counted.rescuedBytes() + rescues * 64 * MIB,
                counted.copyFailures() + failures,
                counted.hostRefusals() + refusals);
    }

    private void tell() {
        machine.of(PID)
                .counters(Counters.ofADevice()
                        .changedAt(nowNs)
                        .step(step)
                        .swap(counted)
                        .lowestSafe(lowestSafe)
                        .build());
    }

    private MemoryEvents ended() {
        return new MemoryEvents(
                step,
                1,
                new long[] {nowNs},
                new long[1],
                new long[] {step},
                new byte[] {(byte) (EventKind.STEP.ordinal() + 1)},
                new byte[] {-1},
                new byte[1],
                new int[1]);
    }
}
