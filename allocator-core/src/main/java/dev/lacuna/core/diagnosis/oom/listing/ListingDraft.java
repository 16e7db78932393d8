package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A table while it is read: of what it lists the largest are kept. */
final class ListingDraft {
    /** More than anybody looks at. */
    private static final int MOST_SHARES = 64;

    private static final Comparator<Share> LARGEST_FIRST =
            Comparator.comparingLong((Share share) -> share.bytes().orElse(-1)).reversed();

    private final MemoryListing.Kind kind;
    private final long line;
    private final String device;
    private final Map<Quantity, Long> amounts = new EnumMap<>(Quantity.class);
    private final Map<String, Long> counts = new HashMap<>();
    private final List<Share> shares = new ArrayList<>();
    private long others;

    ListingDraft(MemoryListing.Kind kind, long line, String device) {
        this.kind = kind;
        this.line = line;
        this.device = device;
    }

    MemoryListing.Kind kind() {
        return kind;
    }

    String device() {
        return device;
    }

    /** A printed size; what cannot be is left out. */
    static OptionalLong size(String number, String unit) {
        Optional<SizeUnit> known = SizeUnit.ofWord(unit.isEmpty() ? "B" : unit);
        String digits = number.replace(",", "");
        return known.isEmpty() || !digits.matches("\\d{1,20}(?:\\.\\d{1,9})?")
                ? OptionalLong.empty()
                : ByteSize.printed(digits, known.get());
    }

    void amount(Quantity quantity, OptionalLong bytes) {
        bytes.ifPresent(value -> amounts.put(quantity, value));
    }

    boolean tells(Quantity quantity) {
        return amounts.containsKey(quantity);
    }

    void count(String name, String digits) {
        if (digits.length() <= 9) {
            counts.put(name, Long.parseLong(digits));
        }
    }

    void share(Share share) {
        shares.add(share);
        if (shares.size() > MOST_SHARES) {
            shares.sort(LARGEST_FIRST);
            shares.remove(MOST_SHARES);
            others++;
        }
    }

    boolean lists() {
        return !shares.isEmpty();
    }

    MemoryListing build() {
        List<Share> sorted = new ArrayList<>(shares);
        sorted.sort(LARGEST_FIRST);
        return new MemoryListing(kind, line, device, amounts, sorted, others, counts);
    }
}
