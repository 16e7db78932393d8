package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.StockControl;

/** Asks what only a process that was not prepared and is attached can be asked. */
public final class StockProcess {
    private StockProcess() {}

    /** @throws CommandFailure where it carries an agent, or takes no commands */
    public static StockControl of(AttachedProcess process) {
        return process.stock()
                .orElseThrow(() -> new CommandFailure(
                        ExitStatus.PROCESS,
                        CliText.text(
                                process.process().isStock() ? "stock.silent" : "stock.agent",
                                process.process().id().toString())));
    }
}
