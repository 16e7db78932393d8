package dev.lacuna.core.history;

import dev.lacuna.core.trace.snapshot.model.Frame;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What may leave the house of names: paths, functions and addresses as they are, or each replaced by a code. Equal names
 * have equal codes within one report, so that it stays readable; the codes of two reports cannot be compared, because each is
 * salted, and a name cannot be found by trying. Immutable.
 */
public final class Redaction {
    /** Everything as it is. */
    public static final Redaction NONE = new Redaction("");

    private static final int CODE_DIGITS = 8;

    /** What an allocator's option may be without telling a name: {@code option:value}, the value a number, a switch or a list of numbers. */
    private static final Pattern PLAIN_OPTION = Pattern.compile(
            "\\s*[a-z0-9_]{1,48}:(?:[0-9.]{1,20}|[Tt]rue|[Ff]alse|native|cudaMallocAsync|\\[[0-9:,>. ]{0,200}])\\s*");

    private static final Pattern BETWEEN_OPTIONS = Pattern.compile(",(?![^\\[]*])");

    private final String salt;

    private Redaction(String salt) {
        this.salt = salt;
    }

    /**
     * Replaces names by codes.
     *
     * @param salt a text that nobody can guess, made for one report
     */
    public static Redaction salted(String salt) {
        if (salt.isEmpty()) {
            throw new IllegalArgumentException("a redaction without salt can be undone by trying names");
        }
        return new Redaction(salt);
    }

    /** Whether names are replaced. */
    public boolean redacts() {
        return !salt.isEmpty();
    }

    /** A file name or path; the ending stays. */
    public String file(String path) {
        if (!redacts() || path.isEmpty()) {
            return path;
        }
        int dot = path.lastIndexOf('.');
        String ending = dot >= 0 ? path.substring(dot) : "";
        return "file-" + code(path) + (ending.matches("\\.[A-Za-z0-9]{1,8}") ? ending : "");
    }

    /** A function, a mark or another name of the program. */
    public String name(String name) {
        return redacts() && !name.isEmpty() ? "name-" + code(name) : name;
    }

    /** The allocator's options as they were set; of those that are more than numbers and switches, a code. */
    public String options(String configuration) {
        return redacts()
                ? Arrays.stream(BETWEEN_OPTIONS.split(configuration))
                        .map(option -> PLAIN_OPTION.matcher(option).matches() ? option : name(option))
                        .collect(Collectors.joining(","))
                : configuration;
    }

    /** An address, in hexadecimal. */
    public String address(long address) {
        String text = "0x" + Long.toHexString(address);
        return redacts() ? "address-" + code(text) : text;
    }

    /** One line of a stack, as {@code function  file:line}; lines of code are left out when names are replaced. */
    public String frame(Frame frame) {
        String place = frame.file().isEmpty()
                ? ""
                : "  " + file(frame.file()) + (frame.line() > 0 && !redacts() ? ":" + frame.line() : "");
        return name(frame.function()) + place;
    }

    private String code(String name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest((salt + '\0' + name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, CODE_DIGITS).toLowerCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }
}
