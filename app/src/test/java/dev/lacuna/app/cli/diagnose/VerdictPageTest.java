package dev.lacuna.app.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.CommandLineFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the window saves of a diagnosis is written by the command too. */
class VerdictPageTest {
    private static final String REPORT =
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a"
                    + " total capacity of 8.00 GiB of which 1.00 GiB is free. Of the allocated memory 4.00 GiB is allocated by"
                    + " PyTorch, and 2.50 GiB is reserved by PyTorch but unallocated.\n";

    @TempDir
    private Path folder;

    private Path log(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private String page(Path... logs) throws IOException {
        Path page = folder.resolve("why.html");
        String[] words = new String[logs.length + 3];
        words[0] = "diagnose";
        words[1] = "--report";
        words[2] = page.toString();
        for (int i = 0; i < logs.length; i++) {
            words[3 + i] = logs[i].toString();
        }
        assertThat(CommandLineFactory.create().execute(words)).isZero();
        return Files.readString(page);
    }

    @Test
    void a_page_holds_every_report_and_says_whose_it_is() throws IOException {
        assertThat(page(log("a.log", REPORT), log("b.log", REPORT)))
                .startsWith("<!DOCTYPE html>")
                .contains("a.log ·", "b.log ·", "2.50 GiB", "class=\"bar\"")
                .doesNotContain("<script", "http:", "https:");
    }

    @Test
    void a_log_without_a_report_makes_a_page_that_says_so() throws IOException {
        assertThat(page(log("fine.log", "step 1 loss 2.0\n")))
                .contains("<p>No out-of-memory report found</p>")
                .doesNotContain("<article>");
    }

    @Test
    void a_page_that_cannot_be_written_is_said_before_anything_is_read() throws IOException {
        Path nowhere = folder.resolve("no").resolve("such.html");
        assertThat(CommandLineFactory.create().execute("diagnose", log("a.log", REPORT) + "", "--report", nowhere + ""))
                .isEqualTo(3);
    }
}
