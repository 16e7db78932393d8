package dev.lacuna.app.cli;

import dev.lacuna.app.cli.diagnose.DiagnoseCommand;
import dev.lacuna.app.cli.estimate.EstimateCommand;
import dev.lacuna.app.cli.mindformers.MindformersCommand;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.plan.PlanCommand;
import dev.lacuna.app.cli.process.DemoCommand;
import dev.lacuna.app.cli.process.LayersCommand;
import dev.lacuna.app.cli.process.PsCommand;
import dev.lacuna.app.cli.process.RecordCommand;
import dev.lacuna.app.cli.process.SetCommand;
import dev.lacuna.app.cli.process.WatchCommand;
import dev.lacuna.app.cli.replay.ReplayCommand;
import dev.lacuna.app.cli.snapshot.SnapshotCommand;
import dev.lacuna.app.window.WindowLauncher;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code lacuna}: without a command it opens the window. */
@Command(
        name = "lacuna",
        mixinStandardHelpOptions = true,
        versionProvider = VersionProvider.class,
        sortOptions = false,
        subcommands = {
            DemoCommand.class,
            PsCommand.class,
            WatchCommand.class,
            SetCommand.class,
            LayersCommand.class,
            RecordCommand.class,
            DiagnoseCommand.class,
            SnapshotCommand.class,
            ReplayCommand.class,
            MindformersCommand.class,
            EstimateCommand.class,
            PlanCommand.class
        })
final class LacunaCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        WindowLauncher.open(Optional.empty());
        return ExitStatus.DONE.code();
    }
}
