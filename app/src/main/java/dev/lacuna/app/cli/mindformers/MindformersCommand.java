package dev.lacuna.app.cli.mindformers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lacuna.app.cli.argument.ConfigInput;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.core.config.document.ConfigDocument;
import dev.lacuna.core.config.mindformers.Mindformers;
import dev.lacuna.core.config.mindformers.MindformersJson;
import dev.lacuna.core.config.mindformers.MindformersResult;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna mindformers}: what a MindFormers configuration really does, layer by layer. */
@Command(name = "mindformers", mixinStandardHelpOptions = true)
public final class MindformersCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE|-", arity = "1..*", descriptionKey = "files")
    private List<String> files = List.of();

    @Option(names = "--json")
    private boolean json;

    @Mixin
    private GridEdits edits = new GridEdits();

    @Spec
    private CommandSpec spec;

    private final Mindformers mindformers = new Mindformers(System.getenv());
    private final ArrayNode documents = JsonNodeFactory.instance.arrayNode();
    private boolean unreadable;

    @Override
    public Integer call() {
        edits.fault(files.size()).ifPresent(fault -> {
            throw new ParameterException(spec.commandLine(), fault);
        });
        files.forEach(this::tell);
        if (json) {
            JsonLine.print(System.out, (files.size() == 1 ? documents.get(0) : documents).toString());
        }
        return (unreadable ? ExitStatus.INPUT : ExitStatus.DONE).code();
    }

    private void tell(String file) {
        try {
            ConfigDocument document = ConfigInput.read(file);
            MindformersResult read = mindformers.analyse(document);
            ConfigDocument changed = edits.on(document, read);
            MindformersResult result = edits.isAsked() ? mindformers.analyse(changed) : read;
            if (json) {
                ObjectNode node = JsonNodeFactory.instance.objectNode();
                if (files.size() > 1) {
                    node.put("source", file);
                }
                documents.add(node.setAll(MindformersJson.of(result, Locale.getDefault())));
            } else {
                JsonLine.print(System.out, new MindformersText(file, Locale.getDefault()).of(result));
            }
        } catch (IOException e) {
            complain(file, ConfigInput.reason(e));
        }
    }

    private void complain(String file, String why) {
        unreadable = true;
        if (json) {
            documents.addObject().put("source", file).put("error", why);
        }
        System.err.println("lacuna: " + CliText.text("mindformers.unreadable", file, why));
    }
}
