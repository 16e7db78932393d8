package dev.lacuna.ui.places.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MessagePiecesTest {
    static OomReport report(String log) {
        return OomLogReader.read(log).reports().get(0);
    }

    private static List<String> numbers(OomReport report) {
        return MessagePieces.of(report).stream()
                .filter(p -> p.number().isPresent())
                .map(p -> p.text() + " " + p.number().orElseThrow().quantity())
                .toList();
    }

    @Test
    void gives_each_number_of_the_example_its_meaning() {
        assertThat(numbers(report(Texts.of("diagnose").get("example"))))
                .containsExactly(
                        "3384.00 MiB TRIED",
                        "61.22 GiB TOTAL",
                        "53.87 GiB ALLOCATED",
                        "53.87 GiB ACTIVE",
                        "1.59 GiB FREE",
                        "56.60 GiB RESERVED");
    }

    @Test
    void passes_over_numbers_that_are_no_sizes_of_the_report() {
        OomReport report =
                report("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"
                        + " total capacity of 79.15 GiB of which 1.20 GiB is free. Process 12345 has 77.95 GiB memory in use. Of"
                        + " the allocated memory 70.00 GiB is allocated by PyTorch, and 5.00 GiB is reserved by PyTorch but"
                        + " unallocated.");
        assertThat(numbers(report))
                .contains("2.00 GiB TRIED", "79.15 GiB TOTAL", "1.20 GiB FREE", "70.00 GiB ALLOCATED")
                .noneMatch(number -> number.startsWith("12345") || number.startsWith("0 "));
    }

    @Test
    void loses_no_character_of_the_message() {
        OomReport report = report(Texts.of("diagnose").get("example"));
        assertThat(MessagePieces.of(report).stream()
                        .map(MessagePieces.Piece::text)
                        .collect(Collectors.joining()))
                .isEqualTo(report.text());
    }
}
