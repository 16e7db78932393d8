package dev.lacuna.app.cli.attach;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.process.Answers;
import dev.lacuna.app.cli.process.ProcessRequest;
import dev.lacuna.app.cli.process.StockProcess;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.StockControl.Categories;
import dev.lacuna.core.base.ByteSize;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lacuna categories PID}: what the tensors of an attached process are of. */
@Command(name = "categories", mixinStandardHelpOptions = true)
public final class CategoriesCommand implements Callable<Integer> {
    @Mixin
    private ProcessRequest request;

    @Override
    public Integer call() throws BridgeException {
        Categories found;
        try (AttachedProcess process = request.open()) {
            found = Answers.given(StockProcess.of(process).categories());
        }
        Map<String, Long> bytes = byName(found);
        request.answer(
                out -> {
                    for (Map.Entry<String, Long> category : bytes.entrySet()) {
                        out.writeNumberField(category.getKey() + "_bytes", category.getValue());
                    }
                },
                bytes.entrySet().stream().map(CategoriesCommand::line));
        return ExitStatus.DONE.code();
    }

    private static String line(Map.Entry<String, Long> category) {
        return String.format(
                "%12s  %s", ByteSize.format(category.getValue()), CliText.text("categories." + category.getKey()));
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
