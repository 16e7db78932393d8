package dev.lacuna.app.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WrongFileTest {
    private static final byte[] PICTURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    @TempDir
    private Path folder;

    private LogInputs.Input file(String name, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        return LogInputs.expand(List.of(file.toString())).get(0);
    }

    private LogInputs.Input text(String name, String content) throws IOException {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void says_what_a_file_is_that_is_no_log() throws IOException {
        assertThat(WrongFile.of(file("shot.png", PICTURE)).orElseThrow()).contains("picture", "training logs");
        assertThat(WrongFile.of(text("paper.pdf", "%PDF-1.7\n")).orElseThrow()).contains("PDF");
        assertThat(WrongFile.of(file("model.pt", new byte[] {'P', 'K', 3, 4})).orElseThrow())
                .contains("checkpoint");
        assertThat(WrongFile.of(text("train.log", "step 1 loss 2.3\n"))).isEmpty();
        assertThat(WrongFile.of(text("empty.log", ""))).isEmpty();
        assertThat(WrongFile.of(new LogInputs.Input.Standard())).isEmpty();
        assertThat(WrongFile.of(LogInputs.expand(List.of(folder.resolve("gone").toString()))
                        .get(0)))
                .isEmpty();
    }

    @Test
    void says_who_reads_a_file_that_holds_no_report() throws IOException {
        assertThat(WrongFile.withoutReport(text("a.log", "step 1\n"))).endsWith("a.log.");
        assertThat(WrongFile.withoutReport(text("b.trace", "total 1024\nalloc a 512\n")))
                .contains("snapshot'");
        assertThat(WrongFile.withoutReport(text("c.yaml", "model:\n  arch: llama\n")))
                .contains("estimate'");
        assertThat(WrongFile.withoutReport(text("d.log", ""))).contains("d.log: the file is empty");
    }

    @Test
    void passes_over_in_a_folder_what_is_no_log() throws IOException {
        Path pictures = Files.createDirectory(folder.resolve("pictures"));
        Files.write(pictures.resolve("shot.png"), PICTURE);
        LogInputs.Input nothing = LogInputs.expand(List.of(pictures.toString())).get(0);
        assertThat(nothing).isEqualTo(new LogInputs.Input.WithoutLogs(pictures.toString()));
        assertThat(WrongFile.of(nothing)).isEmpty();
        assertThat(WrongFile.withoutReport(nothing)).contains("a folder without");
        Path log = Files.writeString(pictures.resolve("train.log"), "step 1\n");
        assertThat(LogInputs.expand(List.of(pictures.toString())))
                .containsExactly(new LogInputs.Input.File(log.toString(), log));
    }
}
