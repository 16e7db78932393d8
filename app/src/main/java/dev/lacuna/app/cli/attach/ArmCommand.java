package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.argument.ProcessIdConverter;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.process.Bridge;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.ProcessId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna arm PID -o FILE}: a snapshot with stacks at the next out-of-memory of an attached process. */
@Command(name = "arm", mixinStandardHelpOptions = true)
public final class ArmCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            descriptionKey = "output")
    private Path output;

    @Option(names = "--off")
    private boolean off;

    @Option(names = "--json")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BridgeException {
        Optional<Path> target =
                Optional.ofNullable(output).map(file -> file.toAbsolutePath().normalize());
        if (target.isPresent() == off) {
            throw new ParameterException(spec.commandLine(), CliText.text("arm.which"));
        }
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            StockProcess.given(StockProcess.of(process).arm(target));
        }
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                out.writeStringField("file", target.map(Path::toString).orElse(null));
                out.writeEndObject();
            }));
        } else {
            System.out.println(target.map(file -> CliText.text("arm.done", pid.toString(), file.toString()))
                    .orElseGet(() -> CliText.text("arm.off", pid.toString())));
        }
        return ExitStatus.DONE.code();
    }
}
