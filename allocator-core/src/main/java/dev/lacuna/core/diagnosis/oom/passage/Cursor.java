package dev.lacuna.core.diagnosis.oom.passage;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A place in a passage that grammars move forward. Words are given in lower case and without white space. A method that
 * does not find what it looks for leaves the cursor where it was. Nothing looks further than it is told to, so every
 * message costs linear time.
 */
public final class Cursor {
    /** Units that PyTorch and its kin print; older MPS prints the short forms. */
    public static final List<String> LONG_UNITS =
            List.of("bytes", "byte", "kib", "mib", "gib", "tib", "pib", "kb", "mb", "gb", "tb");

    /** Units of messages that also print single letters. */
    public static final List<String> ALL_UNITS = List.of(
            "bytes", "byte", "kib", "mib", "gib", "tib", "pib", "kb", "mb", "gb", "tb", "b", "k", "m", "g", "t");

    private static final int MAX_DIGITS = 40;
    private static final int YEAR = 4;

    private final Passage passage;
    private final String lower;
    private int position;

    public Cursor(Passage passage, int position) {
        this.passage = passage;
        this.lower = passage.lower();
        this.position = position;
    }

    public int position() {
        return position;
    }

    public void moveTo(int newPosition) {
        position = newPosition;
    }

    /** Whether this word stands here. */
    public boolean at(String word) {
        return lower.startsWith(word, position);
    }

    /** Steps over this word. */
    public boolean accept(String word) {
        if (!at(word)) {
            return false;
        }
        position += word.length();
        return true;
    }

    /** Steps over the first of these words that stands here. */
    public boolean acceptAny(List<String> words) {
        return words.stream().anyMatch(this::accept);
    }

    /** Steps over as much of this word as stands here, if at least its first {@code least} letters do: pastes are cut. */
    public boolean acceptStart(String word, int least) {
        int n = 0;
        while (n < word.length() && position + n < lower.length() && lower.charAt(position + n) == word.charAt(n)) {
            n++;
        }
        if (n < least) {
            return false;
        }
        position += n;
        return true;
    }

    /** Moves behind this word if it begins within so many characters. */
    public boolean find(String word, int within) {
        int limit = Math.min(lower.length(), position + within + word.length());
        int at = lower.substring(Math.min(position, limit), limit).indexOf(word);
        if (at < 0) {
            return false;
        }
        position += at + word.length();
        return true;
    }

    /** Steps over at most so many characters that are neither letters nor digits. */
    public void skipPunctuation(int most) {
        for (int n = 0; n < most && position < lower.length(); n++) {
            if (Character.isLetterOrDigit(lower.charAt(position))) {
                return;
            }
            position++;
        }
    }

    /** Steps over letters and gives them in their own case; empty when none stand here. */
    public String letters(int most) {
        int start = position;
        while (position < lower.length() && position - start < most && Character.isLetter(lower.charAt(position))) {
            position++;
        }
        return passage.text(start, position);
    }

    /** Steps over a whole number below 2^63. */
    public OptionalLong integer() {
        int end = digits(position);
        if (end == position || end - position > 19) {
            return OptionalLong.empty();
        }
        OptionalLong value = ByteSize.printed(lower.substring(position, end), SizeUnit.BYTE);
        if (value.isPresent()) {
            position = end;
        }
        return value;
    }

    /** Steps over a number and one of these units, and notes it in the draft as this quantity. */
    public boolean size(ReportDraft draft, Quantity quantity, List<String> units) {
        int end = number(position);
        if (end == position) {
            return false;
        }
        Optional<String> unit =
                units.stream().filter(u -> lower.startsWith(u, end)).findFirst();
        if (unit.isEmpty()) {
            return false;
        }
        int after = end + unit.get().length();
        note(draft, quantity, end, SizeUnit.ofWord(unit.get()).orElseThrow(), after);
        return true;
    }

    /** Steps over a bare number whose unit is told elsewhere. */
    public boolean number(ReportDraft draft, Quantity quantity, SizeUnit unit) {
        int end = number(position);
        if (end == position) {
            return false;
        }
        note(draft, quantity, end, unit, end);
        return true;
    }

    /** Steps over {@code 7.34/139.72 GiB}: two numbers that share a unit. */
    public boolean ratio(ReportDraft draft, Quantity first, Quantity second) {
        int start = position;
        int end = number(start);
        if (end == start || !lower.startsWith("/", end)) {
            return false;
        }
        ReportDraft behind = new ReportDraft(draft.framework(), draft.start());
        position = end + 1;
        int secondEnd = number(position);
        Optional<String> unit =
                LONG_UNITS.stream().filter(u -> lower.startsWith(u, secondEnd)).findFirst();
        if (unit.isEmpty() || !size(behind, second, LONG_UNITS)) {
            position = start;
            return false;
        }
        SizeUnit shared = SizeUnit.ofWord(unit.get()).orElseThrow();
        String shown = PrintedDecimal.plain(lower.substring(start, end));
        draft.number(first, ByteSize.printed(shown, shared), passage, start, end);
        draft.absorb(behind);
        return true;
    }

    /**
     * Steps over a bare number that counts bytes, with or without {@code bytes} behind it, and with or without commas
     * between the thousands: {@code 8,589,934,592 bytes}.
     */
    public boolean bytes(ReportDraft draft, Quantity quantity) {
        int end = beforeDate(PrintedDecimal.groupsEnd(lower, position, MAX_DIGITS));
        if (end == position) {
            return false;
        }
        int after = lower.startsWith("bytes", end) ? end + 5 : end;
        note(draft, quantity, end, SizeUnit.BYTE, after);
        return true;
    }

    /** Where a line begins with a date behind a number that ends the line before, the number ends there. */
    private int beforeDate(int end) {
        for (int i = position + 1; i < end; i++) {
            boolean date = end - i == YEAR && lower.startsWith("-", end) && passage.lineStart(i);
            if (date) {
                return i;
            }
        }
        return end;
    }

    /** Steps over {@code 0x…}, a count of bytes. */
    public boolean hexBytes(ReportDraft draft, Quantity quantity) {
        int end = position + 2;
        while (end < lower.length() && end - position < 17 && Character.digit(lower.charAt(end), 16) >= 0) {
            end++;
        }
        if (!at("0x") || end == position + 2) {
            return false;
        }
        OptionalLong value = OptionalLong.of(Long.parseLong(lower.substring(position + 2, end), 16));
        draft.number(quantity, value, passage, position, end);
        position = end;
        return true;
    }

    private void note(ReportDraft draft, Quantity quantity, int numberEnd, SizeUnit unit, int after) {
        OptionalLong value = ByteSize.printed(PrintedDecimal.plain(lower.substring(position, numberEnd)), unit);
        draft.number(quantity, value, passage, position, after);
        position = after;
    }

    private int digits(int from) {
        int end = from;
        while (end < lower.length() && end - from < MAX_DIGITS && isDigit(lower.charAt(end))) {
            end++;
        }
        return end;
    }

    private int number(int from) {
        return PrintedDecimal.end(lower, from, MAX_DIGITS);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
