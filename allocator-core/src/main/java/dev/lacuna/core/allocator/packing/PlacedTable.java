package dev.lacuna.core.allocator.packing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;

/**
 * A table of blocks whose lifetimes are known ({@code id,lower,upper,size}), and where each of them lies, as low as it gets.
 *
 * @param text the table as it was read
 * @param boundBytes no plan is lower: what is alive at once at the worst moment
 */
public record PlacedTable(String text, Plan plan, long boundBytes) {
    /** Whether content that begins like this is such a table. */
    public static boolean recognises(byte[] begin) {
        byte[] header = LifetimesReader.HEADER.getBytes(StandardCharsets.US_ASCII);
        return begin.length >= header.length
                && ByteBuffer.wrap(begin, 0, header.length).equals(ByteBuffer.wrap(header));
    }

    /** The same of what a stream begins with. */
    public static boolean recognises(InputStream in) throws IOException {
        return recognises(in.readNBytes(LifetimesReader.HEADER.length()));
    }

    /**
     * Plans the places of a table's blocks; takes up to some seconds.
     *
     * @param capacity what they should fit into, bytes
     * @throws IOException when it is no such table; the message names the line
     */
    public static PlacedTable of(byte[] content, OptionalLong capacity) throws IOException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("1: the first line must begin with " + LifetimesReader.HEADER, e);
        }
        Lifetimes blocks = LifetimesReader.read(text);
        Plan plan = Planner.installed().plan(blocks, capacity.orElse(Long.MAX_VALUE));
        return new PlacedTable(text, plan, Planner.lowerBound(blocks));
    }

    /** What the plan takes. */
    public long heightBytes() {
        return plan.height();
    }

    /** How many blocks it has. */
    public int blocks() {
        return plan.blocks().count();
    }

    /** Whether no plan is lower. */
    public boolean proven() {
        return plan.height() == boundBytes;
    }

    /** How far above the bound the plan is, as a share of it. */
    public double above() {
        return (double) plan.height() / Math.max(1, boundBytes) - 1;
    }

    /** Whether it fits into so much. */
    public boolean fits(long bytes) {
        return plan.height() <= bytes;
    }

    /** The table with a column for the place of each block, bytes from the beginning. */
    public String withOffsets() {
        StringBuilder placed = new StringBuilder(LifetimesReader.HEADER + ",offset\n");
        int block = 0;
        List<String> lines = text.lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            if (!line.isBlank()) {
                String[] cells = line.strip().split(",", -1);
                placed.append(String.join(",", List.of(cells).subList(0, 4)))
                        .append(',')
                        .append(plan.offset(block++))
                        .append('\n');
            }
        }
        return placed.toString();
    }
}
