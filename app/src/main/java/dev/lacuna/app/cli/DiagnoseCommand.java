package dev.lacuna.app.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "diagnose", mixinStandardHelpOptions = true)
final class DiagnoseCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return 0;
    }
}
