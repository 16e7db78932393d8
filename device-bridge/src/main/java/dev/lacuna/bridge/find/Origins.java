package dev.lacuna.bridge.find;

import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.ProcessStat;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Tells processes that another one was split into, as data loaders' workers are, from those that were started for themselves. A
 * child that has become no other program since its fork has its command line where its parent has it: the kernel puts that
 * somewhere else for every program that it starts. What {@code multiprocessing} starts by {@code spawn} or {@code forkserver} says
 * so in its command line, and has the same Python. Ranks that a launcher starts as programs are neither.
 */
final class Origins {
    private static final Pattern MULTIPROCESSING = Pattern.compile("multiprocessing\\.(spawn|forkserver) import");
    private static final int DEEPEST = 32;

    private final Path proc;
    private final LinuxProcesses processes;

    Origins(Path proc, LinuxProcesses processes) {
        this.proc = proc;
        this.processes = processes;
    }

    /** The process that it, or whoever split it off, was split off from; empty where it was started for itself. */
    OptionalLong of(long pid, ProcessStat stat) {
        long root = pid;
        ProcessStat child = stat;
        for (int depth = 0; depth < DEEPEST; depth++) {
            Optional<ProcessStat> parent = processes.stat(child.parent());
            if (parent.isEmpty() || !(isForked(child, parent.get()) || isSpawned(root, child.parent()))) {
                break;
            }
            root = child.parent();
            child = parent.get();
        }
        return root == pid ? OptionalLong.empty() : OptionalLong.of(root);
    }

    private static boolean isForked(ProcessStat child, ProcessStat parent) {
        return child.argumentsAt() != 0 && child.argumentsAt() == parent.argumentsAt();
    }

    /** One whose parent has ended is another program's child now. */
    private boolean isSpawned(long pid, long parent) {
        ProcFolder folder = folder(pid);
        Optional<Path> program = folder.program();
        return MULTIPROCESSING.matcher(folder.command()).find()
                && program.isPresent()
                && program.equals(folder(parent).program());
    }

    private ProcFolder folder(long pid) {
        return new ProcFolder(proc.resolve(Long.toString(pid)));
    }
}
