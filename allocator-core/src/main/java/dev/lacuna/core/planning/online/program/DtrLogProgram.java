package dev.lacuna.core.planning.online.program;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Turns log lines into a program as the authors' simulator does: an update in place reads the old tensor and produces a
 * new one of the same size, after which the old one is released; what is still referenced at the end must be there.
 */
final class DtrLogProgram {
    private final OperatorProgram.Builder program = OperatorProgram.builder();
    /** Names in the order of their first use; a name keeps its place when it comes to stand for another tensor. */
    private final Map<String, Integer> tensors = new LinkedHashMap<>();
    /** References per tensor that are left by the end; negative ones are possible where two names share one. */
    private int[] left = new int[64];
    /** A call or constant whose sizes the next lines tell; null between calls. */
    private Pending pending;

    private static final class Pending {
        final String name;
        final long costNs;
        final int[] inputs;
        final String[] results;
        final long[] bytes;
        final int[] aliasOf;
        /** Lines that still belong to it: a size and, but for constants, an alias per result. */
        int seen;

        Pending(String name, long costNs, int[] inputs, String[] results) {
            this.name = name;
            this.costNs = costNs;
            this.inputs = inputs;
            this.results = results;
            bytes = new long[results.length];
            aliasOf = new int[results.length];
            Arrays.fill(aliasOf, -1);
        }

        boolean constant() {
            return name.equals(OperatorCall.CONSTANT);
        }

        boolean complete() {
            return seen == (constant() ? 1 : 2 * results.length);
        }
    }

    static boolean starts(JsonNode line) {
        return line.path("INSTRUCTION").asText().equals("ANNOTATE")
                && line.path("ANNOTATION").asText().equals("START");
    }

    void add(JsonNode line) {
        String instruction = line.path("INSTRUCTION").asText();
        if (pending != null) {
            detail(instruction, line);
            return;
        }
        switch (instruction) {
            case "CONSTANT" ->
                pending = new Pending(OperatorCall.CONSTANT, 0, new int[0], new String[] {text(line, "NAME")});
            case "CALL" -> begin(line);
            case "MUTATE" -> mutate(line);
            case "COPY" -> copy(line);
            case "COPY_FROM" -> copyFrom(line);
            case "RELEASE" -> release(line);
            case "ANNOTATE" -> {}
            default -> throw new IllegalArgumentException("unexpected instruction " + shortened(instruction));
        }
    }

    OperatorProgram finish() {
        if (pending != null) {
            throw new IllegalArgumentException("the log ends within a call");
        }
        for (int tensor : tensors.values()) {
            if (left[tensor] > 0) {
                program.pin(tensor);
            }
        }
        return program.build();
    }

    private void begin(JsonNode line) {
        String name = text(line, "NAME");
        String[] results = texts(line, "RESULT");
        if (results.length == 0 || name.equals(OperatorCall.CONSTANT)) {
            throw new IllegalArgumentException("a call without name or result");
        }
        pending = new Pending(name, number(line, "TIME"), arguments(line), results);
    }

    /** MEMORY and ALIAS by turns, result by result. */
    private void detail(String instruction, JsonNode line) {
        int result = pending.seen / 2;
        String expected = pending.seen % 2 == 0 ? "MEMORY" : "ALIAS";
        if (!instruction.equals(expected) || !text(line, "NAME").equals(pending.results[result])) {
            throw new IllegalArgumentException("expected " + expected + " of " + shortened(pending.results[result]));
        }
        if (instruction.equals("MEMORY")) {
            pending.bytes[result] = number(line, "MEMORY");
        } else {
            pending.aliasOf[result] = Math.toIntExact(Math.min(number(line, "ALIAS"), Integer.MAX_VALUE));
            if (pending.aliasOf[result] != -1) {
                pending.bytes[result] = 0;
            }
        }
        pending.seen++;
        if (pending.complete()) {
            Pending whole = pending;
            pending = null;
            complete(whole);
        }
    }

    private void complete(Pending call) {
        int first = program.call(call.name, call.costNs, call.inputs, call.bytes, call.aliasOf);
        for (int i = 0; i < call.results.length; i++) {
            reference(first + i, 1);
            if (tensors.put(call.results[i], first + i) != null && !call.constant()) {
                throw new IllegalArgumentException(shortened(call.results[i]) + " is produced twice");
            }
        }
        if (call.constant()) {
            program.pin(first);
        }
    }

    private void mutate(JsonNode line) {
        int[] inputs = arguments(line);
        String[] names = texts(line, "ARGS");
        JsonNode changed = line.path("MUTATE");
        int[] positions = new int[changed.size()];
        long[] bytes = new long[positions.length];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = changed.get(i).asInt(-1);
            if (positions[i] < 0 || positions[i] >= inputs.length) {
                throw new IllegalArgumentException("an argument is changed that there is not");
            }
            bytes[i] = program.storageBytes(inputs[positions[i]]);
        }
        int[] aliasOf = new int[positions.length];
        Arrays.fill(aliasOf, -1);
        int first = program.call(text(line, "NAME"), number(line, "TIME"), inputs, bytes, aliasOf);
        for (int i = 0; i < positions.length; i++) {
            int old = tensors.put(names[positions[i]], first + i);
            reference(first + i, 1);
            reference(old, -1);
            program.release(old);
        }
    }

    private void copy(JsonNode line) {
        int from = tensor(text(line, "SRC"));
        if (tensors.put(text(line, "DST"), from) != null) {
            throw new IllegalArgumentException(shortened(text(line, "DST")) + " is copied to twice");
        }
        reference(from, 1);
        program.retain(from);
    }

    private void copyFrom(JsonNode line) {
        int from = tensor(text(line, "SRC"));
        int old = tensor(text(line, "DST"));
        tensors.put(text(line, "DST"), from);
        reference(old, -1);
        reference(from, 1);
        program.release(old);
        program.retain(from);
    }

    /** What was never defined is not released: logs that begin in the middle have such lines. */
    private void release(JsonNode line) {
        Integer tensor = tensors.get(text(line, "NAME"));
        if (tensor != null) {
            reference(tensor, -1);
            program.release(tensor);
        }
    }

    private void reference(int tensor, int by) {
        if (tensor >= left.length) {
            left = Arrays.copyOf(left, Math.max(tensor + 1, 2 * left.length));
        }
        left[tensor] += by;
    }

    private int[] arguments(JsonNode line) {
        String[] names = texts(line, "ARGS");
        int[] inputs = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            inputs[i] = tensor(names[i]);
        }
        return inputs;
    }

    private int tensor(String name) {
        Integer tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("unknown tensor " + shortened(name));
        }
        return tensor;
    }

    private static String[] texts(JsonNode line, String field) {
        JsonNode list = line.path(field);
        if (!list.isArray()) {
            throw new IllegalArgumentException("no list " + field);
        }
        String[] texts = new String[list.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = list.get(i).asText();
        }
        return texts;
    }

    private static String text(JsonNode line, String field) {
        JsonNode value = line.path(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("no text " + field);
        }
        return value.textValue();
    }

    /** The logs write numbers as text. */
    private static long number(JsonNode line, String field) {
        String value = line.path(field).asText();
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(field + " is no whole number: " + shortened(value), e);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
