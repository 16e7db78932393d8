package dev.lacuna.core.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What tests of whole logs ask of their diagnoses, in English. */
final class DiagnosedLogs {
    /** A card that is full of tensors. */
    static final String FULL = cuda("200.00 MiB", "24.00 GiB", "50.00 MiB", "23.00 GiB", "90.00 MiB");

    private DiagnosedLogs() {}

    /** PyTorch's message since 2.1. */
    static String cuda(String tried, String total, String free, String allocated, String unallocated) {
        return "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate " + tried
                + ". GPU 0 has a total capacity of "
                + total + " of which " + free + " is free. Of the allocated memory " + allocated
                + " is allocated by PyTorch, and " + unallocated + " is reserved by PyTorch but unallocated.\n";
    }

    static List<Diagnosis> all(String log) {
        return new Diagnoser().diagnose(OomLogReader.read(log));
    }

    static Diagnosis one(String log) {
        List<Diagnosis> found = all(log);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    static List<String> ids(Diagnosis diagnosis) {
        return diagnosis.remedies().stream().map(Remedy::id).toList();
    }

    static List<String> commands(Diagnosis diagnosis) {
        return diagnosis.remedies().stream().flatMap(r -> r.command().stream()).toList();
    }

    static Remedy remedy(Diagnosis diagnosis, String id) {
        return diagnosis.remedies().stream()
                .filter(r -> r.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Title and reason of every remedy, a line each. */
    static String advice(Diagnosis diagnosis) {
        return diagnosis.remedies().stream()
                .map(r -> text(r.title()) + "\n" + text(r.why()))
                .collect(Collectors.joining("\n"));
    }

    static String text(Text text) {
        return DiagnosisText.render(Locale.ENGLISH, text);
    }

    /** The headline, then every finding's explanation, a line each. */
    static String said(Diagnosis diagnosis) {
        StringBuilder text = new StringBuilder(text(diagnosis.headline()));
        diagnosis.findings().forEach(f -> text.append('\n').append(text(f.explanation())));
        return text.toString();
    }
}
