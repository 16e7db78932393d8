package dev.lacuna.core.history.attribution;

import dev.lacuna.core.base.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What to look for among blocks. All conditions hold together.
 *
 * @param address an address that must lie inside the block; empty when any will do
 * @param stream the stream that it must serve; empty when any will do
 * @param leastBytes smallest size, inclusive
 * @param mostBytes largest size, inclusive
 * @param words texts that must all occur in its call stack, in any case
 */
public record BlockQuery(
        OptionalLong address, OptionalLong stream, long leastBytes, long mostBytes, List<String> words) {
    /** Every block. */
    public static final BlockQuery ALL =
            new BlockQuery(OptionalLong.empty(), OptionalLong.empty(), 0, Long.MAX_VALUE, List.of());

    private static final Pattern ADDRESS =
            Pattern.compile("(?:0x([0-9a-f]{1,16})(?:_\\d+)?|(?=[a-f]*\\d)([0-9a-f]{9,16}))");
    private static final Pattern STREAM = Pattern.compile("stream[:=](?:0x([0-9a-f]{1,16})|(\\d{1,18}))");
    private static final Pattern RANGE = Pattern.compile("([0-9.]+[a-z]*)?\\.\\.([0-9.]+[a-z]*)?");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)([kmgt]?i?b)");
    private static final Pattern BOUND = Pattern.compile("(>=|<=|>|<)([0-9.]+[a-z]*)");

    public BlockQuery {
        words = words.stream().map(word -> word.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * Reads what a person types, words apart by spaces: {@code 0x7f2a04c00200} an address inside the block (without {@code 0x} from
     * nine digits on, as maps show it), {@code stream:7}, {@code >=20MiB}, {@code 1MiB..20MiB}, {@code 20MiB} for all sizes within
     * half a per cent, and anything else as a part of a function, file or line of its stack.
     */
    public static BlockQuery parse(String text) {
        BlockQuery query = ALL;
        List<String> parts = new ArrayList<>();
        for (String word : text.strip().split("\\s+")) {
            Optional<BlockQuery> narrowed = query.narrowed(word.toLowerCase(Locale.ROOT));
            if (narrowed.isPresent()) {
                query = narrowed.get();
            } else if (!word.isEmpty()) {
                parts.add(word);
            }
        }
        return new BlockQuery(query.address, query.stream, query.leastBytes, query.mostBytes, parts);
    }

    /** Whether every block is meant. */
    public boolean isAll() {
        return equals(ALL);
    }

    /** This with a number or a size besides; empty where the word is neither. */
    private Optional<BlockQuery> narrowed(String lower) {
        Matcher m = ADDRESS.matcher(lower);
        if (m.matches()) {
            String digits = m.group(1) != null ? m.group(1) : m.group(2);
            return Optional.of(new BlockQuery(OptionalLong.of(hex(digits)), stream, leastBytes, mostBytes, words));
        }
        m = STREAM.matcher(lower);
        if (m.matches()) {
            long number = m.group(1) != null ? hex(m.group(1)) : Long.parseLong(m.group(2));
            return Optional.of(new BlockQuery(address, OptionalLong.of(number), leastBytes, mostBytes, words));
        }
        try {
            m = BOUND.matcher(lower);
            if (m.matches()) {
                return Optional.of(bounded(m.group(1), ByteSize.parse(m.group(2))));
            }
            m = SIZE.matcher(lower);
            if (m.matches()) {
                return Optional.of(reading(Double.parseDouble(m.group(1)) * ByteSize.parse("1" + m.group(2))));
            }
            m = RANGE.matcher(lower);
            if (m.matches() && (m.group(1) != null || m.group(2) != null)) {
                long least = m.group(1) == null ? leastBytes : ByteSize.parse(m.group(1));
                long most = m.group(2) == null ? mostBytes : ByteSize.parse(m.group(2));
                return Optional.of(new BlockQuery(address, stream, least, most, words));
            }
        } catch (IllegalArgumentException notASize) {
            // Then it is a text: "<lambda>", "a-b" and "->" occur in stacks.
        }
        return Optional.empty();
    }

    /** A size is typed as tables show it, in three digits: many sizes read 3.61 MiB. */
    private BlockQuery reading(double bytes) {
        double off = bytes / 200;
        return new BlockQuery(address, stream, (long) Math.ceil(bytes - off), (long) Math.floor(bytes + off), words);
    }

    private BlockQuery bounded(String sign, long bytes) {
        return switch (sign) {
            case ">=" -> new BlockQuery(address, stream, bytes, mostBytes, words);
            case ">" -> new BlockQuery(address, stream, bytes == Long.MAX_VALUE ? bytes : bytes + 1, mostBytes, words);
            case "<=" -> new BlockQuery(address, stream, leastBytes, bytes, words);
            default -> new BlockQuery(address, stream, leastBytes, bytes - 1, words);
        };
    }

    private static long hex(String digits) {
        return Long.parseUnsignedLong(digits, 16);
    }
}
