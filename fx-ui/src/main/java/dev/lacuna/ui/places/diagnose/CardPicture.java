package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A device's memory at an out-of-memory, to scale: pieces from left to right that sum to the total, and what was
 * needed, laid against the room there was.
 *
 * @param totalBytes capacity, &gt; 0
 * @param pieces in the order of drawing; none is empty
 * @param neededFromBytes where the room begins: after what is allocated
 * @param neededBytes what was tried, where the message says so
 */
record CardPicture(long totalBytes, List<Piece> pieces, long neededFromBytes, OptionalLong neededBytes) {
    /** What a piece is. */
    enum Kind {
        ALLOCATED,
        GAP,
        /** Reserved, where the message does not tell what of it is allocated. */
        RESERVED,
        FREE,
        OUTSIDE,
        /** The message does not tell. */
        UNKNOWN;

        /** The name of its colour, and of its words. */
        String style() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** So many bytes of one kind. */
    record Piece(Kind kind, long bytes) {}

    CardPicture {
        pieces = List.copyOf(pieces);
    }

    /** The picture that a report's numbers allow; empty without a capacity, or when they contradict each other. */
    static Optional<CardPicture> of(OomReport report) {
        if (report.totalBytes().isEmpty() || report.totalBytes().getAsLong() <= 0) {
            return Optional.empty();
        }
        long total = report.totalBytes().getAsLong();
        List<Piece> pieces = new ArrayList<>();
        if (report.reservedBytes().isPresent() && report.gapBytes().isPresent()) {
            add(pieces, Kind.ALLOCATED, report.allocatedBytes());
            add(pieces, Kind.GAP, report.gapBytes());
        } else if (report.reservedBytes().isPresent()) {
            add(pieces, Kind.RESERVED, report.reservedBytes());
        } else {
            add(pieces, Kind.ALLOCATED, report.allocatedBytes());
        }
        add(pieces, Kind.FREE, report.freeBytes());
        add(pieces, Kind.OUTSIDE, report.outsideBytes());
        long known = pieces.stream().mapToLong(Piece::bytes).sum();
        // Messages print two decimals: the last piece may be off by a rounding, never by more than a per cent.
        if (pieces.isEmpty() || known > total + total / 100) {
            return Optional.empty();
        }
        add(pieces, Kind.UNKNOWN, OptionalLong.of(total - known));
        long from = report.gapBytes().isPresent()
                ? report.allocatedBytes().orElse(0)
                : pieces.stream()
                        .filter(p -> p.kind() == Kind.ALLOCATED || p.kind() == Kind.RESERVED)
                        .mapToLong(Piece::bytes)
                        .sum();
        return Optional.of(new CardPicture(total, pieces, from, report.triedBytes()));
    }

    private static void add(List<Piece> pieces, Kind kind, OptionalLong bytes) {
        if (bytes.isPresent() && bytes.getAsLong() > 0) {
            pieces.add(new Piece(kind, bytes.getAsLong()));
        }
    }
}
