package dev.lacuna.app.cli;

import dev.lacuna.app.cli.argument.NearMisses;
import dev.lacuna.app.cli.attach.ArmCommand;
import dev.lacuna.app.cli.attach.AttachCommand;
import dev.lacuna.app.cli.attach.CategoriesCommand;
import dev.lacuna.app.cli.attach.DetachCommand;
import dev.lacuna.app.cli.attach.SettingsCommand;
import dev.lacuna.app.cli.attach.TakeOverCommand;
import dev.lacuna.app.cli.diagnose.DiagnoseCommand;
import dev.lacuna.app.cli.estimate.EstimateCommand;
import dev.lacuna.app.cli.mindformers.MindformersCommand;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.Display;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.plan.PlanCommand;
import dev.lacuna.app.cli.process.BlocksCommand;
import dev.lacuna.app.cli.process.CompactCommand;
import dev.lacuna.app.cli.process.DemoCommand;
import dev.lacuna.app.cli.process.EmptyCacheCommand;
import dev.lacuna.app.cli.process.LayersCommand;
import dev.lacuna.app.cli.process.PhasesCommand;
import dev.lacuna.app.cli.process.PsCommand;
import dev.lacuna.app.cli.process.RecordCommand;
import dev.lacuna.app.cli.process.SetCommand;
import dev.lacuna.app.cli.process.WatchCommand;
import dev.lacuna.app.cli.replay.ReplayCommand;
import dev.lacuna.app.cli.run.RunCommand;
import dev.lacuna.app.cli.snapshot.SnapshotCommand;
import dev.lacuna.app.window.WindowLauncher;
import dev.lacuna.app.window.WindowOpening;
import java.io.File;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna}: without a command it opens the window, on the files that are named. */
@Command(
        name = "lacuna",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        subcommands = {
            RunCommand.class,
            DemoCommand.class,
            PsCommand.class,
            WatchCommand.class,
            SetCommand.class,
            LayersCommand.class,
            RecordCommand.class,
            AttachCommand.class,
            DetachCommand.class,
            TakeOverCommand.class,
            SettingsCommand.class,
            EmptyCacheCommand.class,
            CompactCommand.class,
            ArmCommand.class,
            CategoriesCommand.class,
            PhasesCommand.class,
            BlocksCommand.class,
            DiagnoseCommand.class,
            SnapshotCommand.class,
            ReplayCommand.class,
            MindformersCommand.class,
            EstimateCommand.class,
            PlanCommand.class,
            HelpCommand.class,
            GenerateCompletion.class
        })
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
