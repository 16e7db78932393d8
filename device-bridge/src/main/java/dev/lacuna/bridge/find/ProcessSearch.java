package dev.lacuna.bridge.find;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.FoundProcess;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.ProcessStat;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * All processes of the machine that have a training framework loaded. What a process has mapped is read once, and of Pythons that
 * have none yet now and then again: importing one takes seconds. Safe for use by several threads.
 */
public final class ProcessSearch {
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,9}");
    private static final long SECOND_NS = 1_000_000_000;
    private static final long YOUNG_NS = 120 * SECOND_NS;
    private static final long YOUNG_AGAIN_NS = 2 * SECOND_NS;
    private static final long AGAIN_NS = 15 * SECOND_NS;

    private final Path proc;
    private final LinuxProcesses processes;
    private final ProcessFacts facts;
    private final LongSupplier clockNs;
    private final Map<Long, Seen> seen = new HashMap<>();

    /**
     * A search of the processes under this root.
     *
     * @param proc laid out as {@code /proc}
     * @param facts tells more of those that are found
     * @param clockNs a clock that never goes back
     */
    ProcessSearch(Path proc, ProcessFacts facts, LongSupplier clockNs) {
        this.proc = proc;
        this.processes = new LinuxProcesses(proc);
        this.facts = facts;
        this.clockNs = clockNs;
    }

    /** Every one that is found now, newest first. */
    public synchronized List<FoundProcess> all() {
        Map<Long, Seen> now = new HashMap<>();
        List<FoundProcess> found = new ArrayList<>();
        facts.begin();
        for (long pid : everyPid()) {
            Optional<ProcessStat> stat = processes.stat(pid);
            if (stat.isPresent() && pid != ProcessHandle.current().pid()) {
                Seen known = look(pid, stat.get());
                now.put(pid, known);
                facts.of(pid, known.stat(), known.files()).ifPresent(found::add);
            }
        }
        seen.clear();
        seen.putAll(now);
        facts.forgetAllBut(now.keySet());
        found.sort(Comparator.comparing(FoundProcess::startTicks).reversed());
        return found;
    }

    /**
     * What is known of one process, whether or not a framework is found in it.
     *
     * @throws BridgeException GONE
     */
    public synchronized FoundProcess one(long pid) throws BridgeException {
        ProcessStat stat =
                processes.stat(pid).orElseThrow(() -> new BridgeException(Reason.GONE, "there is no process " + pid));
        facts.begin();
        return facts.ofAny(pid, stat, mapped(pid));
    }

    private Seen look(long pid, ProcessStat stat) {
        Seen known = seen.get(pid);
        long now = clockNs.getAsLong();
        if (known != null
                && known.stat().startTicks() == stat.startTicks()
                && known.stat().name().equals(stat.name())) {
            if (!isDue(known, now)) {
                return new Seen(stat, known.firstNs(), known.readNs(), known.files());
            }
            return new Seen(stat, known.firstNs(), now, mapped(pid));
        }
        return new Seen(stat, now, now, mapped(pid));
    }

    private static boolean isDue(Seen known, long now) {
        boolean mayChange = known.files().map(MappedFiles::isPython).orElse(false);
        long every = now - known.firstNs() < YOUNG_NS && known.hasNone() ? YOUNG_AGAIN_NS : AGAIN_NS;
        return mayChange && now - known.readNs() >= every;
    }

    private Optional<MappedFiles> mapped(long pid) {
        return new ProcFolder(proc.resolve(Long.toString(pid))).text("maps").map(MappedFiles::of);
    }

    private List<Long> everyPid() {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (NUMBER.matcher(name).matches()) {
                    found.add(Long.parseLong(name));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Without the list there is nobody to be found.
            return found;
        }
        return found;
    }

    /** A process when it was read last; its maps are empty where they may not be read. */
    private record Seen(ProcessStat stat, long firstNs, long readNs, Optional<MappedFiles> files) {
        boolean hasNone() {
            return files.map(mapped -> mapped.frameworks().isEmpty()).orElse(true);
        }
    }
}
