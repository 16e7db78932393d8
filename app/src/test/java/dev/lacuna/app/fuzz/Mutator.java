package dev.lacuna.app.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damages inputs as disks, editors and enemies do: flips, cuts, splices, nests, repeats, and numbers beyond all bounds. */
final class Mutator {
    private static final int USUAL = 64 << 10;
    private static final int LARGEST = 1 << 20;

    private static final String[] OPENING = {
        "(",
        "[",
        "{",
        "$(",
        "$((",
        "${a:-",
        "${a:+",
        "\"",
        "'",
        "`",
        "- ",
        "? ",
        "a: ",
        "[[",
        "{\"a\":",
        "[{",
        "!!",
        "&a ",
        "\"$(",
        "\"${x:-",
        "(?",
        "(a|",
        "if ",
        "case a in ",
        "<<E\n",
        "-",
        "!",
        "|\n ",
        "\u0080\u0004]\u0094(",
        "]",
        "}q\0",
        "(("
    };
    private static final String[] TOKENS = {
        "0",
        "-1",
        "1",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "2147483647",
        "4294967296",
        "1e999",
        "-0.0",
        "NaN",
        "Infinity",
        "1e-400",
        "0x7fffffffffffffff",
        "1_000",
        "1:30:00",
        "null",
        "true",
        "no",
        "~",
        "*a",
        "&a",
        "<<: *a",
        "!!int ",
        "---\n",
        "\n",
        "\r\n",
        "\r",
        "\t",
        "\0",
        " ",
        ",",
        ":",
        ";",
        "#",
        "\\",
        "\\.",
        "*",
        "+",
        "?",
        "{1,99}",
        "(.*)*",
        "(a+)+b",
        "[a-",
        "w1(",
        "\\Q",
        "(?i)",
        "${",
        "$((",
        "$((1/0))",
        "--",
        "--=",
        "--num-layers ",
        "=",
        "+=",
        "|",
        "&&",
        "\u00e9",
        "\u4e2d\u6587",
        "\ud83d\ude00",
        "\u202e",
        "\ufeff",
        "\u00a0",
        "\u2028",
        "99999999999999999999999999999999999999 GiB",
        "1.7976931348623157E308",
        "\u001b[31m",
        "A".repeat(300),
        "9".repeat(400),
        "\"\"",
        "[]",
        "{}",
        "\\u0000",
        "\\ud800"
    };

    private final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    /** One of these, damaged. */
    byte[] next(List<byte[]> pool) {
        byte[] bytes = any(pool);
        int limit = random.nextInt(12) == 0 ? LARGEST : USUAL;
        for (int n = random.nextInt(5); n >= 0; n--) {
            bytes = mutated(bytes, pool, limit);
            bytes = bytes.length > limit ? Arrays.copyOf(bytes, limit) : bytes;
        }
        return bytes;
    }

    private byte[] any(List<byte[]> pool) {
        return pool.get(random.nextInt(pool.size())).clone();
    }

    private byte[] mutated(byte[] bytes, List<byte[]> pool, int limit) {
        int at = random.nextInt(bytes.length + 1);
        int to = at + random.nextInt(Math.min(bytes.length - at, 1 + random.nextInt(200)) + 1);
        return switch (random.nextInt(13)) {
            case 0 -> flipped(bytes, at);
            case 1 -> spliced(bytes, at, to, new byte[0]);
            case 2 -> random.nextInt(4) == 0 ? Arrays.copyOf(bytes, at) : spliced(bytes, at, at, part(any(pool)));
            case 3 -> spliced(bytes, at, at, token());
            case 4 -> spliced(bytes, at, to, token());
            case 5 -> number(bytes, at);
            case 6 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, to));
            case 7 -> spliced(bytes, at, to, repeated(Arrays.copyOfRange(bytes, at, to), times(to - at, limit)));
            case 8 -> spliced(bytes, at, at, part(any(pool)));
            case 9 -> nested(bytes, at, to, limit);
            case 10 -> lines(bytes, limit);
            case 11 -> word(bytes, at, limit);
            default -> flipped(flipped(bytes, at), random.nextInt(bytes.length + 1));
        };
    }

    /** How often something of this length is repeated: seldom as often as there is room. */
    private int times(int length, int limit) {
        int most = limit / Math.max(1, length);
        return random.nextInt(3) == 0 ? most : 1 + random.nextInt(Math.max(1, Math.min(most, 60)));
    }

    private byte[] flipped(byte[] bytes, int at) {
        if (at < bytes.length) {
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    private byte[] part(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        return Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from + 1));
    }

    private byte[] token() {
        return bytes(TOKENS[random.nextInt(TOKENS.length)]);
    }

    /** What opens, many times, with or without what closes it. */
    private byte[] nested(byte[] bytes, int at, int to, int limit) {
        String open = OPENING[random.nextInt(OPENING.length)];
        int depth = times(2 * open.length(), limit);
        StringBuilder close = new StringBuilder();
        for (int i = open.length() - 1; i >= 0; i--) {
            int kind = "([{\"'`".indexOf(open.charAt(i));
            close.append(kind < 0 ? "" : ")]}\"'`".substring(kind, kind + 1));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes(open.repeat(depth)));
        out.write(bytes, at, to - at);
        if (random.nextBoolean()) {
            out.writeBytes(bytes(close.toString().repeat(depth)));
        }
        return spliced(bytes, at, to, out.toByteArray());
    }

    /** Whole lines again and again, each with a number of its own where one can be put. */
    private byte[] lines(byte[] bytes, int limit) {
        String[] lines = new String(bytes, StandardCharsets.ISO_8859_1).split("(?<=\n)");
        String line = lines[random.nextInt(lines.length)];
        boolean numbered = random.nextBoolean();
        StringBuilder out = new StringBuilder();
        int count = times(line.length() + 4, limit);
        for (int i = 0; i < count && out.length() < limit; i++) {
            out.append(numbered ? line.replaceFirst("(?<=[A-Za-z_-])(?=[^A-Za-z_-]|$)", Integer.toString(i)) : line);
        }
        int at = random.nextInt(lines.length);
        lines[at] = random.nextBoolean() ? out + lines[at] : lines[at] + out;
        return String.join("", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A word of the input itself, very long. */
    private byte[] word(byte[] bytes, int at, int limit) {
        int begin = at;
        int end = at;
        while (begin > 0 && bytes[begin - 1] > ' ' && at - begin < 40) {
            begin--;
        }
        while (end < bytes.length && bytes[end] > ' ' && end - at < 40) {
            end++;
        }
        byte[] word = Arrays.copyOfRange(bytes, begin, end);
        return spliced(bytes, begin, end, repeated(word, times(word.length, limit)));
    }

    /** Another number in place of the next one. */
    private byte[] number(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && (bytes[at] < '0' || bytes[at] > '9')) {
            at++;
        }
        int end = at;
        while (end < bytes.length && bytes[end] >= '0' && bytes[end] <= '9') {
            end++;
        }
        String other = random.nextBoolean()
                ? TOKENS[random.nextInt(20)]
                : Long.toString(random.nextLong() >> random.nextInt(64));
        return spliced(bytes, at, end, bytes(other));
    }

    private static byte[] repeated(byte[] piece, int times) {
        byte[] out = new byte[piece.length * times];
        for (int i = 0; i < times; i++) {
            System.arraycopy(piece, 0, out, i * piece.length, piece.length);
        }
        return out;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] piece) {
        byte[] out = new byte[bytes.length - (to - from) + piece.length];
        System.arraycopy(bytes, 0, out, 0, from);
        System.arraycopy(piece, 0, out, from, piece.length);
        System.arraycopy(bytes, to, out, from + piece.length, bytes.length - to);
        return out;
    }

    private static byte[] bytes(String text) {
        return text.startsWith("\u0080")
                ? text.getBytes(StandardCharsets.ISO_8859_1)
                : text.getBytes(StandardCharsets.UTF_8);
    }
}
