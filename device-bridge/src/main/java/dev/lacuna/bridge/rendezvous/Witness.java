package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.ProcessId;
import dev.lacuna.bridge.ProcessState;
import dev.lacuna.bridge.control.AgentControl;
import dev.lacuna.bridge.process.LinuxProcesses;
import dev.lacuna.bridge.process.PidNamespaces;
import java.util.OptionalLong;

/**
 * Whether the processes that agents' files belong to live. {@code /proc} is believed about this program's own pid
 * namespace and those within it; of others, as of a container beside this one, the socket is asked.
 */
final class Witness {
    private final LinuxProcesses processes;
    private final PidNamespaces namespaces;
    private final String boot;
    private final long own;

    Witness(LinuxProcesses processes, PidNamespaces namespaces) {
        this.processes = processes;
        this.namespaces = namespaces;
        this.boot = namespaces.boot();
        this.own = namespaces.showsOwn() ? namespaces.own("pid") : 0;
    }

    /**
     * What can be seen of a process.
     *
     * @param pidHere its pid in this program's namespace, where it has one
     * @param name what it is called
     */
    record Sight(OptionalLong pidHere, ProcessId name, ProcessState state) {}

    /** Looks for the process that these files belong to. */
    Sight look(AgentFiles files) {
        OptionalLong pidHere = pidHere(files);
        if (pidHere.isPresent()) {
            ProcessState state = isOfAnotherBoot(files)
                    ? ProcessState.GONE
                    : processes.state(pidHere.getAsLong(), files.startTicks());
            return new Sight(pidHere, ProcessId.here(pidHere.getAsLong()), state);
        }
        boolean lives = !isOfAnotherBoot(files) && AgentControl.answers(files.socket());
        ProcessId name = new ProcessId(OptionalLong.of(files.namespace()), files.pid());
        return new Sight(pidHere, name, lives ? ProcessState.RUNNING : ProcessState.GONE);
    }

    /** Whether nobody can be there any more, so that what was left may be tidied away. */
    boolean isDead(AgentFiles files) {
        return isOfAnotherBoot(files)
                || (look(files).state() == ProcessState.GONE && !AgentControl.answers(files.socket()));
    }

    /** How the process is doing that was last seen so; {@code answers} stands for its socket. */
    ProcessState state(Sight sight, AgentFiles files, Answering answers) {
        return sight.pidHere().isPresent()
                ? processes.state(sight.pidHere().getAsLong(), files.startTicks())
                : answers.now() ? ProcessState.RUNNING : ProcessState.GONE;
    }

    private OptionalLong pidHere(AgentFiles files) {
        long namespace = files.namespace();
        if (namespace == 0 || namespace == own || isOfAnotherBoot(files)) {
            return OptionalLong.of(files.pid());
        }
        return namespaces.pidHere(namespace, files.pid(), files.startTicks());
    }

    private boolean isOfAnotherBoot(AgentFiles files) {
        String reported = files.place().map(AgentFiles.Place::boot).orElse("");
        return !reported.isEmpty() && !boot.isEmpty() && !boot.startsWith(reported);
    }
}
