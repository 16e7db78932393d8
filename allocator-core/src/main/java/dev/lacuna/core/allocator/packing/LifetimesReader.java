package dev.lacuna.core.allocator.packing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;

/** Reads {@code id,lower,upper,size} tables (MiniMalloc's format; half-open lifetimes). Further columns are ignored. */
public final class LifetimesReader {
    static final String HEADER = "id,lower,upper,size";

    private LifetimesReader() {}

    /**
     * The blocks of a table, in its order.
     *
     * @throws IOException when it is no such table; the message names the line
     */
    public static Lifetimes read(String table) throws IOException {
        BufferedReader in = new BufferedReader(new StringReader(table));
        String header = in.readLine();
        if (header == null || !header.strip().startsWith(HEADER)) {
            throw new IOException("1: the first line must begin with " + HEADER);
        }
        Lifetimes.Builder blocks = Lifetimes.builder();
        int number = 1;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            if (!line.isBlank()) {
                add(line.strip().split(",", -1), number, blocks);
            }
        }
        return blocks.build();
    }

    private static void add(String[] cells, int number, Lifetimes.Builder blocks) throws IOException {
        try {
            if (cells.length < 4) {
                throw new IllegalArgumentException("expected " + HEADER);
            }
            blocks.add(Long.parseLong(cells[1]), Long.parseLong(cells[2]), Long.parseLong(cells[3]));
        } catch (IllegalArgumentException e) {
            throw new IOException(number + ": " + e.getMessage(), e);
        }
    }
}
