package dev.lacuna.app.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.lacuna.core.diagnosis.Cause;
import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.Diagnosis;
import dev.lacuna.core.diagnosis.DiagnosisJson;
import dev.lacuna.core.diagnosis.Thresholds;
import dev.lacuna.core.oom.OomLog;
import dev.lacuna.core.oom.OomLogException;
import dev.lacuna.core.oom.OomLogReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna diagnose}: why did it run out of memory, and what to do. */
@Command(name = "diagnose", mixinStandardHelpOptions = true)
final class DiagnoseCommand implements Callable<Integer> {
    private static final String ANY = "any";

    @Parameters(paramLabel = "FILE|DIR|-", arity = "0..*", descriptionKey = "inputs")
    private List<String> named = List.of();

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--fail-on", paramLabel = "CAUSE")
    private Optional<String> failOn = Optional.empty();

    @Option(names = "--threshold", paramLabel = "SIZE", converter = ByteSizeConverter.class)
    private long thresholdBytes = Thresholds.DEFAULT.gapBytes();

    @Spec
    private CommandSpec spec;

    private final ArrayNode documents = JsonNodeFactory.instance.arrayNode();
    private final DiagnosisReport report = new DiagnosisReport(System.out, Locale.getDefault());
    private boolean unreadable;
    private boolean found;

    @Override
    public Integer call() {
        checkUsage();
        Diagnoser diagnoser = new Diagnoser(Thresholds.DEFAULT.withGapBytes(thresholdBytes));
        for (LogInputs.Input input : LogInputs.expand(named)) {
            judge(input, diagnoser);
        }
        if (json) {
            JsonLine.print(System.out, documents.toString());
        }
        if (unreadable) {
            return ExitStatus.INPUT.code();
        }
        return (found ? ExitStatus.FOUND : ExitStatus.DONE).code();
    }

    private void checkUsage() {
        if (failOn.isPresent()
                && !failOn.get().equals(ANY)
                && Cause.ofId(failOn.get()).isEmpty()) {
            String causes = Arrays.stream(Cause.values()).map(Cause::id).collect(Collectors.joining(", "));
            throw new ParameterException(spec.commandLine(), CliTexts.text("diagnose.cause", failOn.get(), causes));
        }
        if (named.stream().anyMatch(String::isBlank)) {
            throw new ParameterException(spec.commandLine(), CliTexts.text("diagnose.blank"));
        }
        if (thresholdBytes < 0) {
            throw new ParameterException(spec.commandLine(), CliTexts.text("diagnose.threshold"));
        }
    }

    private void judge(LogInputs.Input input, Diagnoser diagnoser) {
        try {
            tell(input.name(), diagnoser.diagnose(read(input)));
        } catch (OomLogException e) {
            if (!e.before().reports().isEmpty()) {
                tell(input.name(), diagnoser.diagnose(e.before()));
            }
            complain(input.name(), e.getMessage());
        } catch (NoSuchFileException e) {
            complain(input.name(), CliTexts.text("diagnose.no.such"));
        } catch (AccessDeniedException e) {
            complain(input.name(), CliTexts.text("diagnose.denied"));
        } catch (IOException e) {
            complain(input.name(), e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static OomLog read(LogInputs.Input input) throws IOException {
        if (input instanceof LogInputs.Input.Unreachable unreachable) {
            throw unreachable.why();
        }
        if (input instanceof LogInputs.Input.File file) {
            try (InputStream in = Files.newInputStream(file.path())) {
                return OomLogReader.read(in);
            }
        }
        return OomLogReader.read(System.in);
    }

    private void tell(String input, List<Diagnosis> diagnoses) {
        for (Diagnosis diagnosis : diagnoses) {
            found |= failOn.map(c -> c.equals(ANY) || c.equals(diagnosis.cause().id()))
                    .orElse(false);
            if (json) {
                documents.add(DiagnosisJson.of(input, diagnosis, Locale.getDefault()));
            } else {
                report.print(input, diagnosis);
            }
        }
        if (diagnoses.isEmpty() && !json) {
            System.err.println(CliTexts.text("diagnose.none", input));
        }
    }

    private void complain(String input, String why) {
        unreadable = true;
        if (json) {
            documents.addObject().put("source", input).put("error", why);
        }
        System.err.println("lacuna: " + CliTexts.text("diagnose.unreadable", input, why));
    }
}
