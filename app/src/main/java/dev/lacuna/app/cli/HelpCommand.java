package dev.lacuna.app.cli;

import dev.lacuna.app.cli.argument.NearMisses;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna help [COMMAND]}: what {@code --help} shows. */
@Command(name = "help", mixinStandardHelpOptions = true)
final class HelpCommand implements Callable<Integer> {
    @Parameters(paramLabel = "COMMAND", arity = "0..1", descriptionKey = "command")
    private Optional<String> command = Optional.empty();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine program = spec.parent().commandLine();
        Map<String, CommandLine> commands = program.getSubcommands();
        CommandLine asked = command.isEmpty() ? program : commands.get(command.get());
        if (asked == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    CliText.text("usage.help.unknown", command.get())
                            + NearMisses.question(command.get(), commands.keySet()));
        }
        asked.usage(asked.getOut());
        return ExitStatus.DONE.code();
    }
}
