package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.FirstChange;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.StockControl;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lacuna arm PID -o FILE}: a snapshot with stacks at the next out-of-memory of an attached process. */
@Command(name = "arm", mixinStandardHelpOptions = true)
public final class ArmCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Mixin
    private FirstChange first;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            descriptionKey = "output")
    private Path output;

    @Option(names = "--off")
    private boolean off;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException {
        Optional<Path> target =
                Optional.ofNullable(output).map(file -> file.toAbsolutePath().normalize());
        if (target.isPresent() == off) {
            throw new ParameterException(spec.commandLine(), CliText.text("arm.which"));
        }
        try (AttachedProcess process = request.open()) {
            StockControl stock = StockProcess.of(process);
            first.require(process, request.isJson());
            Answers.given(stock.arm(target));
        }
        String pid = request.pid().toString();
        request.answer(
                out -> out.writeStringField("file", target.map(Path::toString).orElse(null)),
                Stream.of(target.map(file -> CliText.text("arm.done", pid, file.toString()))
                        .orElseGet(() -> CliText.text("arm.off", pid))));
        return ExitStatus.DONE.code();
    }
}
