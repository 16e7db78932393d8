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
import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.core.base.ByteSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lacuna categories PID}: what the tensors of an attached process are of. */
@Command(name = "categories", mixinStandardHelpOptions = true)
public final class CategoriesCommand implements Callable<Integer> {
    @Parameters(paramLabel = "PID", index = "0", descriptionKey = "pid", converter = ProcessIdConverter.class)
    private ProcessId pid;

    @Option(names = "--json")
    private boolean json;

    @Override
    public Integer call() throws BridgeException {
        Categories found;
        try (AttachedProcess process = Bridge.processes().attach(pid)) {
            found = StockProcess.given(StockProcess.of(process).categories());
        }
        Map<String, Long> bytes = byName(found);
        if (json) {
            JsonLine.print(System.out, JsonLine.of(out -> {
                out.writeStartObject();
                out.writeNumberField("pid", pid.pid());
                for (Map.Entry<String, Long> category : bytes.entrySet()) {
                    out.writeNumberField(category.getKey() + "_bytes", category.getValue());
                }
                out.writeEndObject();
            }));
        } else {
            bytes.forEach((name, of) ->
                    System.out.printf("%12s  %s%n", ByteSize.format(of), CliText.text("categories." + name)));
        }
        return ExitStatus.DONE.code();
    }

    private static Map<String, Long> byName(Categories found) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        bytes.put("parameters", found.parametersBytes());
        bytes.put("gradients", found.gradientsBytes());
        bytes.put("optimizer", found.optimizerBytes());
        bytes.put("activations", found.activationsBytes());
        bytes.put("other", found.otherBytes());
        return bytes;
    }
}
