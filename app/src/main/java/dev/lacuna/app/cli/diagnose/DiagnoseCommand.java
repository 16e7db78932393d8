package dev.lacuna.app.cli.diagnose;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.lacuna.app.cli.argument.ThresholdOption;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.app.cli.output.JsonLine;
import dev.lacuna.app.cli.output.TableOutput;
import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.DiagnosisJson;
import dev.lacuna.core.diagnosis.Rules;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.JudgedLog;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.Run;
import dev.lacuna.core.diagnosis.model.Subject;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomLogException;
import dev.lacuna.ui.places.diagnose.VerdictHtml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lacuna diagnose}: why did it run out of memory, and what to do. */
@Command(name = "diagnose", mixinStandardHelpOptions = true)
public final class DiagnoseCommand implements Callable<Integer> {
    private static final String ANY = "any";

    @Parameters(paramLabel = "FILE|DIR|-", arity = "0..*", descriptionKey = "inputs")
    private List<String> named = List.of();

    @Option(names = "--json")
    private boolean json;

    @Option(names = "--fail-on", paramLabel = "CAUSE")
    private Optional<String> failOn = Optional.empty();

    @Option(names = "--report", paramLabel = "OUT.html")
    private Optional<Path> page = Optional.empty();

    @Mixin
    private ThresholdOption threshold = new ThresholdOption();

    @Spec
    private CommandSpec spec;

    private final List<Outcome> outcomes = new ArrayList<>();
    private final DiagnosisReport report = new DiagnosisReport(System.out, Locale.getDefault());

    /** What came of one input: its log, or why it could not be read, or both where it broke off. */
    private record Outcome(LogInputs.Input input, Optional<JudgedLog> judged, Optional<String> fault) {
        String source() {
            return input.name();
        }
    }

    @Override
    public Integer call() {
        checkUsage();
        page.ifPresent(TableOutput::probe);
        Diagnoser diagnoser = diagnoser();
        for (LogInputs.Input input : LogInputs.expand(named)) {
            outcomes.add(judge(input, diagnoser));
        }
        List<JudgedLog> logs =
                outcomes.stream().flatMap(o -> o.judged().stream()).toList();
        List<Finding> across = Rules.judge(new Run(logs));
        if (json) {
            JsonLine.print(System.out, document(across).toString());
        } else {
            print(across);
        }
        page.ifPresent(file -> TableOutput.save(file, page(logs, across).getBytes(StandardCharsets.UTF_8)));
        outcomes.forEach(o -> o.fault()
                .ifPresent(
                        why -> System.err.println("lacuna: " + CliText.text("diagnose.unreadable", o.source(), why))));
        if (outcomes.stream().anyMatch(o -> o.fault().isPresent())) {
            return ExitStatus.INPUT.code();
        }
        return (logs.stream().anyMatch(this::holdsWhatFails) ? ExitStatus.FOUND : ExitStatus.DONE).code();
    }

    /** What the window saves of the same logs. */
    private String page(List<JudgedLog> logs, List<Finding> across) {
        return VerdictHtml.of(
                logs,
                across,
                logs.stream()
                        .flatMap(log -> diagnoser().listings(log.log()).stream())
                        .toList());
    }

    private Diagnoser diagnoser() {
        return new Diagnoser(threshold.thresholds());
    }

    private boolean holdsWhatFails(JudgedLog log) {
        return failOn.isPresent()
                && log.diagnoses().stream()
                        .filter(Diagnosis::isFailure)
                        .anyMatch(d -> failOn.get().equals(ANY)
                                || failOn.get().equals(d.cause().id()));
    }

    private ArrayNode document(List<Finding> across) {
        ArrayNode documents = JsonNodeFactory.instance.arrayNode();
        int logs = 0;
        for (Outcome outcome : outcomes) {
            if (outcome.judged().isPresent()) {
                add(documents, outcome.judged().get(), logs++, across);
            }
            outcome.fault()
                    .ifPresent(why -> documents
                            .addObject()
                            .put("source", outcome.source())
                            .put("error", why));
        }
        return documents;
    }

    private void add(ArrayNode documents, JudgedLog log, int index, List<Finding> across) {
        for (int r = 0; r < log.diagnoses().size(); r++) {
            documents.add(DiagnosisJson.of(
                    log.source(), log.diagnoses().get(r), concerning(across, index, r), Locale.getDefault()));
        }
        for (ListingVerdict listing : diagnoser().listings(log.log())) {
            documents.add(DiagnosisJson.of(log.source(), listing, Locale.getDefault()));
        }
    }

    /** What is said of this report; what is said of a whole log goes with its first. */
    private static List<Finding> concerning(List<Finding> across, int log, int report) {
        return across.stream()
                .filter(found -> found.subject() instanceof Subject.Report said
                        && said.log() == log
                        && Math.max(0, said.report()) == report)
                .toList();
    }

    private void print(List<Finding> across) {
        for (Outcome outcome : outcomes) {
            outcome.judged().ifPresent(log -> {
                log.diagnoses().forEach(d -> report.print(log.source(), d));
                List<ListingVerdict> listings = diagnoser().listings(log.log());
                listings.forEach(listing -> report.print(log.source(), listing));
                if (log.diagnoses().isEmpty() && listings.isEmpty()) {
                    System.err.println(WrongFile.withoutReport(outcome.input()));
                }
            });
        }
        report.printAcross(across);
    }

    private void checkUsage() {
        if (failOn.isPresent()
                && !failOn.get().equals(ANY)
                && Cause.ofId(failOn.get()).isEmpty()) {
            String causes = Arrays.stream(Cause.values()).map(Cause::id).collect(Collectors.joining(", "));
            throw new ParameterException(spec.commandLine(), CliText.text("diagnose.cause", failOn.get(), causes));
        }
        if (named.stream().anyMatch(String::isBlank)) {
            throw new ParameterException(spec.commandLine(), CliText.text("diagnose.blank"));
        }
    }

    private static Outcome judge(LogInputs.Input input, Diagnoser diagnoser) {
        String name = input.name();
        Optional<String> other = WrongFile.of(input);
        if (other.isPresent()) {
            return failed(input, other.get());
        }
        try {
            OomLog log = read(input);
            return new Outcome(input, Optional.of(new JudgedLog(name, log, diagnoser.diagnose(log))), Optional.empty());
        } catch (OomLogException e) {
            OomLog before = e.before();
            Optional<JudgedLog> judged = before.reports().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new JudgedLog(name, before, diagnoser.diagnose(before)));
            return new Outcome(input, judged, Optional.of(e.getMessage()));
        } catch (NoSuchFileException e) {
            return failed(input, CliText.text("diagnose.no.such"));
        } catch (AccessDeniedException e) {
            return failed(input, CliText.text("diagnose.denied"));
        } catch (IOException e) {
            return failed(input, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static Outcome failed(LogInputs.Input input, String why) {
        return new Outcome(input, Optional.empty(), Optional.of(why));
    }

    private static OomLog read(LogInputs.Input input) throws IOException {
        if (input instanceof LogInputs.Input.Unreachable unreachable) {
            throw unreachable.why();
        }
        if (input instanceof LogInputs.Input.WithoutLogs) {
            return OomLogReader.read("");
        }
        if (input instanceof LogInputs.Input.File file) {
            try (InputStream in = Files.newInputStream(file.path())) {
                return OomLogReader.read(in);
            }
        }
        return OomLogReader.read(System.in);
    }
}
