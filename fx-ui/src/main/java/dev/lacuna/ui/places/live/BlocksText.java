package dev.lacuna.ui.places.live;

import dev.lacuna.core.base.counters.PoolName;
import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.BlockText;
import dev.lacuna.ui.blockmap.PieceKind;
import dev.lacuna.ui.text.ByteText;
import dev.lacuna.ui.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** What is said of the blocks of a running process. */
final class BlocksText implements BlockText {
    private static final Texts TEXTS = Texts.of("blockmap");
    private static final Texts LIVE = Texts.of("live");
    private static final double NS_PER_SECOND = 1e9;

    private final Supplier<Optional<BlocksPicture>> shown;

    BlocksText(Supplier<Optional<BlocksPicture>> shown) {
        this.shown = shown;
    }

    @Override
    public List<String> segment(int segment) {
        Optional<BlocksPicture> picture = shown.get();
        if (picture.isEmpty() || segment >= picture.get().map().segments()) {
            return List.of();
        }
        LiveBlocks.Segment named = picture.get().blocks().segments().get(segment);
        return List.of(
                named.pool()
                        .map(pool -> TEXTS.get("live.row", range(pool), ByteText.of(named.bytes())))
                        .orElseGet(() -> ByteText.of(named.bytes())),
                TEXTS.get("live.row.more", ByteText.of(picture.get().map().bytesOf(segment, PieceKind.BLOCK))));
    }

    @Override
    public List<Fact> piece(int piece) {
        Optional<BlocksPicture> picture = shown.get();
        if (picture.isEmpty() || piece >= picture.get().map().pieces()) {
            return List.of();
        }
        LiveBlocks blocks = picture.get().blocks();
        LiveBlocks.Pieces pieces = blocks.pieces();
        LiveBlocks.Kind kind = pieces.kind(piece);
        String bytes = ByteText.of(pieces.bytes(piece));
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("", TEXTS.get("live.piece." + kind.name().toLowerCase(Locale.ROOT), bytes)));
        facts.add(new Fact(TEXTS.get("fact.exact"), ByteText.exact(pieces.bytes(piece))));
        facts.add(new Fact(TEXTS.get("fact.address"), "0x" + Long.toHexString(pieces.address(piece))));
        if (kind == LiveBlocks.Kind.BLOCK) {
            facts.add(new Fact(TEXTS.get("fact.requested"), ByteText.exact(pieces.requested(piece))));
            facts.add(new Fact(TEXTS.get("fact.age"), age(blocks, piece)));
            pieces.pool(piece)
                    .ifPresent(pool -> facts.add(new Fact(TEXTS.get("fact.pool"), LIVE.get("pool." + pool.label()))));
        } else if (kind == LiveBlocks.Kind.UNSEEN) {
            facts.add(new Fact("", TEXTS.get("live.unseen.why")));
        }
        return facts;
    }

    private static String age(LiveBlocks blocks, int piece) {
        if (blocks.pieces().isFromBefore(piece)) {
            return TEXTS.get("live.fact.before");
        }
        double seconds = (blocks.timeNs() - blocks.pieces().bornNs(piece)) / NS_PER_SECOND;
        return TEXTS.get("live.fact.age", Math.max(0, seconds));
    }

    @Override
    public String spoken() {
        return shown.get().map(BlocksText::summary).orElseGet(() -> TEXTS.get("live.title"));
    }

    /** The picture in one line. */
    static String summary(BlocksPicture picture) {
        BlockMap map = picture.map();
        long largest =
                map.largestHole().isPresent() ? map.bytes(map.largestHole().getAsInt()) : 0;
        return TEXTS.get(
                "live.summary", map.segments(), picture.blocks().coverage().blocks(), ByteText.of(largest));
    }

    /** What keeps the picture from being the whole truth; empty when nothing does. */
    static String caveats(BlocksPicture picture) {
        LiveBlocks.Coverage coverage = picture.blocks().coverage();
        List<String> said = new ArrayList<>();
        if (coverage.restarts() > 0) {
            said.add(TEXTS.get("live.restarted", coverage.lostEvents()));
        }
        if (coverage.partial()) {
            said.add(TEXTS.get("live.partial", ByteText.of(coverage.unknownBytes())));
        }
        if (coverage.movedBytes() > 0) {
            said.add(TEXTS.get("live.moved", ByteText.of(coverage.movedBytes())));
        }
        return String.join(" · ", said);
    }

    private static String range(PoolName pool) {
        return pool.segregated()
                ? TEXTS.get(pool == PoolName.SHORT_SMALL ? "live.range.small" : "live.range.large")
                : LIVE.get("pool." + pool.label());
    }
}
