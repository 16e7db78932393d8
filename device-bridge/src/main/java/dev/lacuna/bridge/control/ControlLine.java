package dev.lacuna.bridge.control;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.GuardFigures;
import dev.lacuna.bridge.SwapSetting;
import dev.lacuna.core.base.counters.SafeBasis;
import dev.lacuna.core.base.counters.SwapMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One reply line of the protocol: a verdict and words {@code key=value}; a value in double quotes stands last.
 *
 * @param ok whether the verdict is {@code ok} (otherwise {@code error})
 * @param words the words by key, in order
 */
record ControlLine(boolean ok, Map<String, String> words) {
    /**
     * Parses a line without its newline.
     *
     * @throws BridgeException UNREADABLE for anything that the protocol does not allow
     */
    static ControlLine parse(String line) throws BridgeException {
        String verdict = line.split(" ", 2)[0];
        return switch (verdict) {
            case "ok" -> new ControlLine(true, words(line.substring(verdict.length())));
            case "error" -> new ControlLine(false, words(line.substring(verdict.length())));
            default -> throw unreadable("neither ok nor error", line);
        };
    }

    /** The value of this key. */
    String word(String key) throws BridgeException {
        String value = words.get(key);
        if (value == null) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's reply lacks " + key);
        }
        return value;
    }

    /** A count of bytes. */
    long bytes(String key) throws BridgeException {
        try {
            long value = Long.parseLong(word(key));
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's reply has no number for " + key, e);
        }
        throw new BridgeException(Reason.UNREADABLE, "the agent's reply has a negative number for " + key);
    }

    /** A share, 0 ≤ f ≤ 1. */
    double fraction(String key) throws BridgeException {
        try {
            double value = Double.parseDouble(word(key));
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new BridgeException(Reason.UNREADABLE, "the agent's reply has no number for " + key, e);
        }
        throw new BridgeException(Reason.UNREADABLE, "the agent's reply has no share for " + key);
    }

    /** {@code yes} or {@code no}, or another pair of words. */
    boolean choice(String key, String yes, String no) throws BridgeException {
        String word = word(key);
        if (word.equals(yes) || word.equals(no)) {
            return word.equals(yes);
        }
        throw new BridgeException(Reason.UNREADABLE, "the agent answered " + key + "=" + word);
    }

    /** What holds of swapping. */
    SwapSetting swapping() throws BridgeException {
        Optional<SwapMode> mode = SwapMode.ofLabel(word("swap"));
        if (mode.isEmpty()) {
            throw new BridgeException(Reason.UNREADABLE, "the agent answered swap=" + word("swap"));
        }
        return new SwapSetting(mode.get(), bytes("swap_budget_bytes"));
    }

    /** What swapping needs on the device at least, where that is known: 0 stands for no whole step so far. */
    OptionalLong swapLeast() throws BridgeException {
        OptionalLong least = count("swap_least_bytes");
        return least.orElse(0) > 0 ? least : OptionalLong.empty();
    }

    /** What the guard went by, where it tells anything: agents up to 0.1.0 tell the fraction alone. */
    Optional<GuardFigures> guard() throws BridgeException {
        if (words.keySet().stream().noneMatch(key -> key.startsWith("lowest_safe_"))) {
            return Optional.empty();
        }
        return Optional.of(new GuardFigures(
                words.containsKey("lowest_safe_fraction") ? lowestSafe() : OptionalDouble.empty(),
                count("lowest_safe_bytes"),
                SafeBasis.ofLabel(words.getOrDefault("basis", "")),
                count("steps"),
                count("spread_bytes")));
    }

    /** Above 1, no fraction is safe. */
    private OptionalDouble lowestSafe() throws BridgeException {
        boolean beyond = word("lowest_safe_fraction").matches("[1-9]\\d{0,8}(\\.\\d+)?")
                && Double.parseDouble(word("lowest_safe_fraction")) > 1;
        return beyond ? OptionalDouble.empty() : OptionalDouble.of(fraction("lowest_safe_fraction"));
    }

    /** A number that may be missing. */
    private OptionalLong count(String key) throws BridgeException {
        return words.containsKey(key) ? OptionalLong.of(bytes(key)) : OptionalLong.empty();
    }

    /** Every byte counter whose key starts with this, by the rest of its key. */
    Map<String, Long> counters(String prefix) throws BridgeException {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String key : words.keySet()) {
            if (key.startsWith(prefix)) {
                counters.put(key.substring(prefix.length()), bytes(key));
            }
        }
        return counters;
    }

    private static Map<String, String> words(String rest) throws BridgeException {
        Map<String, String> words = new LinkedHashMap<>();
        int at = 0;
        while (at < rest.length()) {
            if (rest.charAt(at) == ' ') {
                at++;
                continue;
            }
            int equals = rest.indexOf('=', at);
            int blank = rest.indexOf(' ', at);
            if (equals <= at || blank >= 0 && blank < equals) {
                throw unreadable("a word without a key or without a value", rest);
            }
            boolean quoted = rest.startsWith("\"", equals + 1);
            int end = quoted ? closingQuote(rest, equals + 2) : blank < 0 ? rest.length() : blank;
            String value = quoted ? rest.substring(equals + 2, end) : rest.substring(equals + 1, end);
            if (words.put(rest.substring(at, equals), value) != null) {
                throw unreadable("a key that stands twice", rest);
            }
            at = quoted ? end + 1 : end;
        }
        return words;
    }

    /** The quoted value stands last, so that it ends with the line. */
    private static int closingQuote(String rest, int from) throws BridgeException {
        int end = rest.length() - 1;
        if (end < from || rest.charAt(end) != '"') {
            throw unreadable("a quoted value that does not end the line", rest);
        }
        return end;
    }

    private static BridgeException unreadable(String what, String line) {
        String shown = line.length() > 80 ? line.substring(0, 80) + "…" : line;
        return new BridgeException(Reason.UNREADABLE, "the agent answered with " + what + ": " + shown);
    }
}
