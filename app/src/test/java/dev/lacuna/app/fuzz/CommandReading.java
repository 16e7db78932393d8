package dev.lacuna.app.fuzz;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.lacuna.app.cli.CommandLineFactory;
import dev.lacuna.app.cli.output.ExitStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A whole command on a file: it ends with status 0, or with 3 and a sentence; {@code --json} prints one document. */
final class CommandReading implements Reader.Reading {
    private static final String FILE = "FILE";
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final Path file;
    private final String[] words;

    /** @param words the command line; FILE stands for the input */
    CommandReading(Path folder, String... words) {
        this.file = folder.resolve("input");
        this.words = Arrays.stream(words)
                .map(word -> word.equals(FILE) ? file.toString() : word)
                .toArray(String[]::new);
    }

    @Override
    public String read(byte[] input) throws IOException {
        Files.write(file, input);
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        int status;
        try {
            System.setOut(new PrintStream(said, false, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(complained, false, StandardCharsets.UTF_8));
            status = CommandLineFactory.create().execute(words);
            System.out.flush();
            System.err.flush();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        return outcome(status, said.toByteArray(), complained.toString(StandardCharsets.UTF_8));
    }

    private String outcome(int status, byte[] said, String complained) throws IOException {
        if (status != ExitStatus.DONE.code() && status != ExitStatus.INPUT.code()) {
            throw new AssertionError("status " + status + " of " + String.join(" ", words) + "\n" + complained);
        }
        if (Arrays.asList(words).contains("--json") && (said.length > 0 || status == ExitStatus.DONE.code())) {
            checkOneDocument(said);
        }
        if (status == ExitStatus.DONE.code()) {
            return "done";
        }
        if (complained.isBlank() && said.length == 0) {
            throw new AssertionError("status 3 without a word of " + String.join(" ", words));
        }
        return Reader.refused(new IOException(complained.replace(file.toString(), FILE)));
    }

    private static void checkOneDocument(byte[] said) throws IOException {
        try (JsonParser parser = JSON.createParser(said)) {
            if (parser.nextToken() == null) {
                throw new AssertionError("--json printed nothing");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new AssertionError("--json printed more than one document");
            }
        }
    }
}
