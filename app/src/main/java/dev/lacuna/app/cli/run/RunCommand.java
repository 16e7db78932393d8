package dev.lacuna.app.cli.run;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code lacuna run [options] -- COMMAND}: here for the help, completion and the manual. The script {@code lacuna} starts what does
 * it before any virtual machine is there: a training is not to wait for one, nor to have one beside it.
 */
@Command(name = "run", mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
    @Option(names = "--capacity", paramLabel = "SIZE")
    private String capacity;

    @Option(names = "--fraction", paramLabel = "F")
    private String fraction;

    @Option(
            names = {"--optimisation", "--optimization"},
            paramLabel = "on|off")
    private String optimisation;

    @Option(names = "--policy", paramLabel = "segregated|lifetime")
    private String policy;

    @Option(names = "--swap", paramLabel = "on|off|all")
    private String swap;

    @Option(names = "--swap-budget", paramLabel = "SIZE")
    private String swapBudget;

    @Option(names = "--link", paramLabel = "RATE[,LATENCY]")
    private String link;

    @Option(names = "--adaptive", arity = "0..1", fallbackValue = "on", paramLabel = "on|off")
    private String adaptive;

    @Parameters(paramLabel = "COMMAND", arity = "1..*", descriptionKey = "command")
    private List<String> command;

    @Override
    public Integer call() {
        throw new CommandFailure(ExitStatus.FAULT, CliText.text("run.launcher"));
    }
}
