package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.model.Moment;
import dev.lacuna.core.trace.snapshot.model.PoolId;
import dev.lacuna.ui.blockmap.BlockTones;
import dev.lacuna.ui.blockmap.LegendEntry;
import dev.lacuna.ui.blockmap.PieceKind;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What is said of a map of a recording, in the window and on paper. */
final class MapWords {
    private static final Texts TEXTS = Texts.of("blockmap");

    private MapWords() {}

    /** What a segment is called beside its row. */
    static List<String> segment(Moment moment, int segment) {
        long total = moment.segments().totalBytes(segment);
        return List.of(
                TEXTS.get(
                        "row",
                        Long.toHexString(moment.segments().address(segment)),
                        ByteText.of(total),
                        percent(moment.allocatedBytes(segment), total)),
                TEXTS.get("row.gap", ByteText.of(moment.gapBytes(segment))),
                TEXTS.get("row.hole", ByteText.of(moment.largestHoleBytes(segment))));
    }

    static String percent(long part, long whole) {
        return whole == 0 ? "–" : String.format(Locale.ROOT, "%d %%", Math.round(100.0 * part / whole));
    }

    /** The moment in one line. */
    static String summary(Moment moment) {
        long largest = 0;
        for (int s = 0; s < moment.segments().size(); s++) {
            largest = Math.max(largest, moment.largestHoleBytes(s));
        }
        return TEXTS.get(
                "summary",
                moment.event(),
                moment.segments().size(),
                moment.blocks(),
                ByteText.of(moment.totals().reserved()),
                ByteText.of(largest));
    }

    /** A pool of the allocator in words. */
    static String pool(BlockColours.Pool pool) {
        String size = TEXTS.get(pool.large() ? "pool.large" : "pool.small");
        String kind = pool.lived()
                .map(lived -> TEXTS.get("pool.lived", size, TEXTS.get("lifetime." + lived.id())))
                .orElse(size);
        return pool.pair().equals(PoolId.DEFAULT)
                ? kind
                : TEXTS.get(
                        "pool.private", kind, pool.pair().graph(), pool.pair().user());
    }

    /** A stream in words. */
    static String stream(long handle) {
        return handle == 0 ? TEXTS.get("stream.default") : "0x" + Long.toHexString(handle);
    }

    /** What the colours and hatchings of a picture mean. */
    static List<LegendEntry> legend(MapPicture picture) {
        List<LegendEntry> legend = new ArrayList<>(
                switch (picture.colouring()) {
                    case STATE -> List.of(block(BlockTones.ALLOCATED, TEXTS.get("legend.allocated")));
                    case LIFETIME ->
                        List.of(
                                block(BlockTones.SHORT, TEXTS.get("lifetime.short")),
                                block(BlockTones.LONG, TEXTS.get("lifetime.long")),
                                block(BlockTones.PLAIN, TEXTS.get("lifetime.through")));
                    case POOL ->
                        categories(
                                picture.pools().size(),
                                i -> pool(picture.pools().get(i)));
                    case STREAM ->
                        categories(
                                picture.streams().size(),
                                i -> stream(picture.streams().get(i)));
                    case AGE -> scale(TEXTS.get("legend.young"), TEXTS.get("legend.old"));
                    case SIZE ->
                        scale(
                                ByteText.of(BlockTones.sizeOfStep(0)),
                                "≥ " + ByteText.of(BlockTones.sizeOfStep(BlockTones.SCALE - 1)));
                });
        int first = picture.colouring() == Colouring.STATE ? BlockTones.ALLOCATED : BlockTones.PLAIN;
        legend.add(new LegendEntry(PieceKind.PENDING, first, TEXTS.get("legend.pending")));
        legend.add(new LegendEntry(PieceKind.HOLE, 0, TEXTS.get("legend.hole")));
        return legend;
    }

    private static LegendEntry block(int tone, String words) {
        return new LegendEntry(PieceKind.BLOCK, tone, words);
    }

    private static List<LegendEntry> categories(int count, IntFunction<String> names) {
        return IntStream.range(0, Math.min(BlockTones.SCALE, count))
                .mapToObj(i -> block(BlockTones.category(i), names.apply(i)))
                .toList();
    }

    private static List<LegendEntry> scale(String from, String to) {
        return IntStream.range(0, BlockTones.SCALE)
                .mapToObj(i -> block(BlockTones.step(i), i == 0 ? from : i == BlockTones.SCALE - 1 ? to : ""))
                .toList();
    }
}
