package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import dev.lacuna.core.diagnosis.oom.model.PrintedNumber;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts a message into text and numbers that mean something, so that each number wears its meaning's colour. */
final class MessagePieces {
    /** A number and its unit as frameworks print them: {@code 61.22 GiB}, {@code 3384.00 MiB}, {@code 120586240 bytes}. */
    private static final Pattern SIZE =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*((?:[KMGT]i?B?|B|bytes?)\\b)?", Pattern.CASE_INSENSITIVE);

    /** Longest message that is shown; frameworks print a few hundred characters, crash handlers append whole tables. */
    private static final int MAX_CHARACTERS = 6000;

    /** A stretch of the message, and what it means if it is a number of the report. */
    record Piece(String text, Optional<PrintedNumber> number) {}

    private MessagePieces() {}

    /** The whole message, in order. Numbers are found again in the order in which the report gives them. */
    static List<Piece> of(OomReport report) {
        String text = report.text().length() > MAX_CHARACTERS
                ? report.text().substring(0, MAX_CHARACTERS) + " …"
                : report.text();
        List<Piece> pieces = new ArrayList<>();
        Matcher matcher = SIZE.matcher(text);
        int done = 0;
        int next = 0;
        while (next < report.numbers().size() && matcher.find()) {
            PrintedNumber number = report.numbers().get(next);
            if (!isThis(number, matcher)) {
                continue;
            }
            if (matcher.start() > done) {
                pieces.add(new Piece(text.substring(done, matcher.start()), Optional.empty()));
            }
            pieces.add(new Piece(matcher.group().strip(), Optional.of(number)));
            done = matcher.start() + matcher.group().strip().length();
            next++;
        }
        pieces.add(new Piece(text.substring(done), Optional.empty()));
        return pieces;
    }

    /** Whether a meaning has a colour of its own; the others are told by their label only. */
    static Optional<String> styleOf(Quantity quantity) {
        return switch (quantity) {
            case TRIED -> Optional.of("tried");
            case TOTAL -> Optional.of("total");
            case ALLOCATED, ACTIVE -> Optional.of("allocated");
            case FREE -> Optional.of("free");
            case RESERVED -> Optional.of("reserved");
            case ALLOWED -> Optional.of("limit");
            case CACHED, UNALLOCATED, GAP, RELEASABLE, SPLIT, PENDING -> Optional.of("gap");
            case PROCESS, PRIVATE_POOLS, OTHER_PROCESS, OTHER_ALLOCATIONS -> Optional.of("outside");
        };
    }

    private static boolean isThis(PrintedNumber number, Matcher size) {
        if (number.bytes().isEmpty()) {
            // A size that no memory has: longer than any real one.
            return size.group(1).length() > 15;
        }
        BigDecimal printed = new BigDecimal(size.group(1)).multiply(unit(size.group(2)));
        BigDecimal known = BigDecimal.valueOf(number.bytes().getAsLong());
        // The report may round what was printed to whole bytes.
        return printed.subtract(known).abs().compareTo(BigDecimal.ONE) <= 0;
    }

    private static BigDecimal unit(String name) {
        if (name == null) {
            return BigDecimal.ONE;
        }
        return switch (name.toUpperCase(Locale.ROOT).charAt(0)) {
            case 'K' -> BigDecimal.valueOf(1L << 10);
            case 'M' -> BigDecimal.valueOf(1L << 20);
            case 'G' -> BigDecimal.valueOf(1L << 30);
            case 'T' -> BigDecimal.valueOf(1L << 40);
            default -> BigDecimal.ONE;
        };
    }
}
