package dev.lacuna.ui.places.diagnose;

import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A table of memory as bars, in the language of the window.
 *
 * @param title whose table it is
 * @param bars what it lists, to one scale; of a device or a pool first what it says of the whole
 * @param rest how many it lists besides; empty for none
 */
record ListingPicture(String title, List<Bar> bars, String rest) {
    private static final Texts TEXTS = Texts.of("diagnose");
    private static final int MOST_BARS = 16;

    ListingPicture {
        bars = List.copyOf(bars);
    }

    /**
     * One bar.
     *
     * @param name what holds it
     * @param size how much, for people
     * @param exact every digit
     * @param share its length, 0 … 1 of the longest
     * @param used how much of it is in use, 0 … 1 of the longest
     */
    record Bar(String name, String size, String exact, double share, double used) {}

    /** The picture of a table. */
    static ListingPicture of(MemoryListing listing) {
        List<Share> shares = new ArrayList<>();
        long listed = listing.shares().size() + listing.others();
        listing.amount(Quantity.RESERVED).ifPresent(bytes -> shares.add(whole("piece.reserved", bytes)));
        listing.amount(Quantity.ALLOCATED).ifPresent(bytes -> shares.add(whole("piece.allocated", bytes)));
        listing.amount(Quantity.SPLIT).ifPresent(bytes -> shares.add(whole("listing.split", bytes)));
        listing.amount(Quantity.TOTAL).ifPresent(bytes -> shares.add(whole("listing.total", bytes)));
        listing.usedBytes().ifPresent(bytes -> shares.add(whole("listing.used", bytes)));
        int ofWhole = shares.size();
        listing.shares().stream().limit(MOST_BARS).forEach(shares::add);
        long most = Math.max(
                1, shares.stream().mapToLong(s -> s.bytes().orElse(0)).max().orElse(1));
        long more = listed - (shares.size() - ofWhole);
        return new ListingPicture(
                DiagnosisText.name(Texts.locale(), listing),
                shares.stream().map(share -> bar(share, most)).toList(),
                more > 0 ? TEXTS.get("listing.more", more) : "");
    }

    private static Share whole(String key, long bytes) {
        return new Share(TEXTS.get(key), OptionalLong.empty(), OptionalLong.of(bytes), OptionalLong.empty());
    }

    private static Bar bar(Share share, long most) {
        long bytes = share.bytes().orElse(0);
        String name =
                share.pid().isPresent() ? share.name() + " · " + share.pid().getAsLong() : share.name();
        return new Bar(
                name,
                share.bytes().isPresent() ? ByteText.of(bytes) : "–",
                ByteText.exact(bytes),
                (double) bytes / most,
                (double) share.usedBytes().orElse(bytes) / most);
    }
}
