package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.Terminal;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.Change;
import dev.lacuna.bridge.DeviceSummary;
import dev.lacuna.bridge.ProcessName;
import dev.lacuna.bridge.Reply;
import java.util.Optional;

/**
 * A change of a process, with or without {@code force=yes}. A person at a terminal forces only what the guard has refused, by typing the
 * process's name under the numbers, and only while those hold; a script forces at once, and is warned.
 */
final class GuardedChange {
    private final Terminal terminal;
    private final boolean askFirst;

    /** @param json whether a document is wanted: then nobody is asked */
    GuardedChange(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.askFirst = !json && terminal.isThere();
    }

    /** Makes the change, and gives what came of it. */
    Reply apply(AttachedProcess process, Change change) throws BridgeException {
        if (!change.force()) {
            return process.apply(change);
        }
        if (askFirst) {
            return asked(process, change);
        }
        terminal.tell("lacuna: " + CliText.text("set.forced"));
        return process.apply(change);
    }

    /** Refused once more, its numbers are others by then: they are shown, and the name is asked for again. */
    private Reply asked(AttachedProcess process, Change change) throws BridgeException {
        Reply reply = process.apply(change.unforced());
        long totalBytes = process.process().devices().stream()
                .filter(device -> device.index() == change.device())
                .mapToLong(DeviceSummary::totalBytes)
                .findFirst()
                .orElse(0);
        String name = ProcessName.of(process.process());
        while (reply instanceof Reply.Refused refused && refused.byGuard()) {
            terminal.tell(GuardText.of(refused, totalBytes));
            terminal.tell(CliText.text("set.force.risk"));
            Optional<String> typed = terminal.ask(CliText.text("set.force.ask", name));
            if (typed.isEmpty() || !typed.get().strip().equals(name)) {
                throw new CommandFailure(ExitStatus.PROCESS, CliText.text("set.force.not"));
            }
            reply = process.apply(change.forced(refused.guard()));
            if (reply instanceof Reply.Applied) {
                terminal.tell("lacuna: " + CliText.text("set.forced"));
            }
        }
        return reply;
    }
}
