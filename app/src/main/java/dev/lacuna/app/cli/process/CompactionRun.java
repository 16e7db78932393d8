package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Compaction;
import dev.lacuna.bridge.CompactionControl;
import dev.lacuna.bridge.ProcessState;
import java.time.Duration;

/**
 * Compaction of a process, asked for and waited for.
 *
 * @param process whose storages move
 * @param control its agent's
 */
record CompactionRun(AttachedProcess process, CompactionControl control) {
    private static final long PAUSE_MS = 100;

    /** @throws CommandFailure where it has no agent in which storages could move */
    static CompactionRun of(AttachedProcess process) {
        return new CompactionRun(
                process,
                process.compaction()
                        .orElseThrow(() -> new CommandFailure(
                                ExitStatus.PROCESS,
                                CliText.text(
                                        "compact.agentless",
                                        process.process().id().toString()))));
    }

    /**
     * Asks, and waits for the end of it.
     *
     * @param patience how long; it goes on when nobody waits
     * @throws CommandFailure where the process refuses, or ends
     */
    CompactionReport run(int device, boolean atOnce, Duration patience) throws BridgeException, InterruptedException {
        Answers.given(control.ask(device, atOnce));
        return new CompactionReport(device, await(device, patience));
    }

    private Compaction await(int device, Duration patience) throws BridgeException, InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        Compaction now = Answers.given(control.state(device));
        while (now.state() != Compaction.State.DONE && System.nanoTime() < until) {
            if (process.sample().state() == ProcessState.GONE) {
                throw new CommandFailure(
                        ExitStatus.PROCESS,
                        CliText.text("compact.gone", process.process().id().toString()));
            }
            Thread.sleep(PAUSE_MS);
            now = Answers.given(control.state(device));
        }
        return now;
    }
}
