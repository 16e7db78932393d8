package dev.lacuna.bridge.graft;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What a process is to run: the modules of a folder as one text, with one line before it that says where to write and for whom.
 * {@code graft/text.py} does the same for the Python package's own tests.
 *
 * @param folder {@code graft/resident}; its {@code order.txt} names the modules
 */
record ResidentText(Path folder) {
    private static final int INTERVAL_MS = 50;
    private static final Pattern BETWEEN_MODULES =
            Pattern.compile("^from \\.\\w+ import (\\([^)]*\\)|[^\\n(]*)\\n", Pattern.MULTILINE);
    private static final Pattern PLAIN = Pattern.compile("[\\x20-\\x7e]*");

    /**
     * The whole text.
     *
     * @param directory where its file goes
     * @param refused the link by which it says that it could not begin; empty: nowhere
     * @param readerPid who reads it: it lets go when that one is gone; 0: nobody in particular
     * @throws IOException where the package lacks it
     */
    byte[] written(Path directory, String refused, long readerPid, String version) throws IOException {
        String head = "_lacuna_graft = {\"directory\": " + literal(directory.toString()) + ", \"refused\": "
                + literal(refused) + ", \"reader_pid\": " + readerPid + ", \"interval_ms\": " + INTERVAL_MS
                + ", \"version\": " + literal(version) + "}\n";
        return (head + modules()).getBytes(StandardCharsets.UTF_8);
    }

    /** Without the imports between them: in the process they are one namespace. */
    String modules() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : Files.readAllLines(folder.resolve("order.txt"))) {
            String module = Files.readString(folder.resolve(name + ".py"), StandardCharsets.UTF_8);
            text.append(BETWEEN_MODULES.matcher(module).replaceAll(""));
        }
        return text.toString();
    }

    /** A Python string of printable ASCII, whatever the characters. */
    static String literal(String text) {
        if (PLAIN.matcher(text).matches() && text.indexOf('"') < 0 && text.indexOf('\\') < 0) {
            return '"' + text + '"';
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> quoted.append(
                        c >= 0x20 && c < 0x7f && c != '"' && c != '\\'
                                ? Character.toString(c)
                                : String.format("\\U%08x", c)));
        return quoted.append('"').toString();
    }
}
