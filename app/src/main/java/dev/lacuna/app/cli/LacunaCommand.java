package dev.lacuna.app.cli;

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
