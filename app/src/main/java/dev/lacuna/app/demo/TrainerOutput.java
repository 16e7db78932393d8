package dev.lacuna.app.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file that takes the trainer's output, so that nobody who reads slowly can ever slow the trainer. */
record TrainerOutput(Path file) {
    private static final int TAIL_BYTES = 4096;

    /** A new file in the system's temporary folder, readable by this user only. */
    static TrainerOutput create() throws IOException {
        return new TrainerOutput(Files.createTempFile("lacuna-demo-", ".log"));
    }

    /** The end of what was written so far. */
    String tail() throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, access.length() - TAIL_BYTES);
            access.seek(from);
            byte[] bytes = new byte[(int) (access.length() - from)];
            access.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        }
    }
}
