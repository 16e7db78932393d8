package dev.lacuna.ui.places.processes;

import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.EndedProcess;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.ListedProcess;
import dev.lacuna.bridge.MachineProcesses;
import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.bridge.TrainingProcesses;
import dev.lacuna.core.base.counters.MemoryCounters;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Looks at all training processes of the machine, again and again. Keeps the living ones open between looks, reads each
 * black box once. Not for the UI thread; looks follow one another.
 */
public final class ProcessSurvey implements AutoCloseable {
    /** More dead ones than this are history, not news. */
    private static final int MAX_BLACK_BOXES = 20;

    /** What one look saw. */
    record Found(List<ProcessRow> living, List<ProcessRow> blackBoxes, List<FoundProcess> unprepared) {}

    private final MachineProcesses machine;
    private final TrainingProcesses processes;
    private final Clock clock;
    private final Map<String, AttachedProcess> open = new HashMap<>();
    private final Map<String, ProcessRow> readBoxes = new HashMap<>();

    /**
     * Nothing was looked at yet.
     *
     * @param machine tells which processes there are, and which of them are children of others
     * @param processes opens those that carry an agent, and knows the black boxes
     * @param clock tells their ages
     */
    public ProcessSurvey(MachineProcesses machine, TrainingProcesses processes, Clock clock) {
        this.machine = machine;
        this.processes = processes;
        this.clock = clock;
    }

    synchronized Found look() throws BridgeException {
        List<ProcessRow> living = new ArrayList<>();
        List<FoundProcess> unprepared = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (ListedProcess listed : machine.list()) {
            listed.training()
                    .ifPresentOrElse(
                            process -> {
                                seen.add(process.nameForGood());
                                living.add(living(process, listed.childOf()));
                            },
                            () -> listed.found().ifPresent(unprepared::add));
        }
        closeAllBut(seen);
        List<TrainingProcess> dead = processes.blackBoxes();
        List<ProcessRow> boxes = new ArrayList<>();
        for (TrainingProcess process : dead.subList(0, Math.min(dead.size(), MAX_BLACK_BOXES))) {
            ProcessRow read = readBoxes.computeIfAbsent(process.nameForGood(), name -> blackBox(process));
            boxes.add(new ProcessRow(
                    process, read.usage(), age(process), read.lastOutOfMemory(), read.ending(), OptionalLong.empty()));
        }
        readBoxes
                .keySet()
                .retainAll(dead.stream().map(TrainingProcess::nameForGood).toList());
        return new Found(living, boxes, unprepared);
    }

    @Override
    public synchronized void close() {
        closeAllBut(Set.of());
    }

    private ProcessRow living(TrainingProcess process, OptionalLong childOf) {
        return new ProcessRow(process, usage(process), age(process), Optional.empty(), Optional.empty(), childOf);
    }

    private Optional<ProcessRow.Usage> usage(TrainingProcess process) {
        try {
            AttachedProcess opened = open.get(process.nameForGood());
            if (opened == null) {
                opened = processes.open(process);
                open.put(process.nameForGood(), opened);
            }
            return Optional.of(usage(opened.sample().devices()));
        } catch (BridgeException endedMeanwhile) {
            // It is listed all the same; attaching says what is wrong with it.
            return Optional.empty();
        }
    }

    private ProcessRow blackBox(TrainingProcess process) {
        EndedProcess ended = EndedProcess.read(processes, process);
        return new ProcessRow(
                process,
                ended.peak()
                        .map(peak ->
                                new ProcessRow.Usage(peak.totalBytes(), peak.reservedBytes(), peak.allocatedBytes())),
                age(process),
                ended.lastOutOfMemory(),
                ended.ending(),
                OptionalLong.empty());
    }

    private Duration age(TrainingProcess process) {
        return Duration.between(process.startedAt(), clock.instant());
    }

    private void closeAllBut(Set<String> kept) {
        open.entrySet().removeIf(entry -> {
            boolean gone = !kept.contains(entry.getKey());
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
    }

    private static ProcessRow.Usage usage(List<MemoryCounters> devices) {
        return new ProcessRow.Usage(
                devices.stream().mapToLong(MemoryCounters::totalBytes).sum(),
                devices.stream().mapToLong(MemoryCounters::reservedBytes).sum(),
                devices.stream().mapToLong(MemoryCounters::allocatedBytes).sum());
    }
}
