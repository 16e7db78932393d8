package dev.lacuna.app.cli;

import dev.lacuna.app.cli.argument.NearMisses;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.Display;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.window.WindowLauncher;
import dev.lacuna.app.window.WindowOpening;
import java.io.File;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna}: without a command it opens the window, on the files that are named. */
@Command(name = "lacuna", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, sortOptions = false)
final class LacunaCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "0..*", descriptionKey = "files")
    private List<File> files = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        files.stream().filter(file -> !file.exists()).findFirst().ifPresent(this::refuse);
        Display.require();
        WindowLauncher.open(WindowOpening.on(files));
        return ExitStatus.DONE.code();
    }

    /** A word without a dot or a slash was more likely meant as a command. */
    private void refuse(File missing) {
        String word = missing.getPath();
        if (word.indexOf('.') >= 0 || word.indexOf(File.separatorChar) >= 0) {
            throw new CommandFailure(ExitStatus.INPUT, CliText.text("usage.file", word));
        }
        Set<String> commands = spec.subcommands().keySet();
        throw new ParameterException(
                spec.commandLine(), CliText.text("usage.command", word) + NearMisses.question(word, commands));
    }
}
