package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.history.mirror.LiveBlocks;
import java.util.Locale;
import java.util.Optional;

/** A part of a device's memory that has a name and a colour in every card. */
enum MemoryPart {
    LONG,
    SHORT,
    UNSORTED,
    SMALL,
    ROUNDING,
    RELEASABLE,
    SPLIT,
    PENDING,
    OUTSIDE,
    /** Mapped before reading began: nobody has told what it is. */
    UNSEEN;

    /** Part of text keys and style classes. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<MemoryPart> ofId(String id) {
        for (MemoryPart part : values()) {
            if (part.id().equals(id)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    /** What a piece of a picture belongs to. */
    static MemoryPart of(LiveBlocks blocks, LiveBlocks.Segment segment, int piece) {
        return switch (blocks.pieces().kind(piece)) {
            case BLOCK -> blocks.pieces().pool(piece).map(MemoryPart::of).orElse(UNSORTED);
            case HOLE -> segment.endPiece() - segment.firstPiece() == 1 ? RELEASABLE : SPLIT;
            case UNSEEN -> UNSEEN;
        };
    }

    private static MemoryPart of(PoolName pool) {
        return switch (pool) {
            case LONG_LARGE -> LONG;
            case SHORT_LARGE -> SHORT;
            case STOCK_LARGE -> UNSORTED;
            case LONG_SMALL, SHORT_SMALL, STOCK_SMALL -> SMALL;
        };
    }
}
