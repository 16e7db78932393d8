package dev.lacuna.ui.places.live;

import dev.lacuna.core.history.mirror.LiveBlocks;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.BlockTones;
import dev.lacuna.ui.blockmap.LegendEntry;
import dev.lacuna.ui.blockmap.MapDrawing;
import dev.lacuna.ui.blockmap.PieceKind;
import dev.lacuna.ui.text.Texts;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The map of a running process for pictures that are made without a window. */
public final class LiveMap {
    private static final Texts TEXTS = Texts.of("blockmap");

    private LiveMap() {}

    /** What is known of the blocks of one device, coloured by how long their pool expects them to live. */
    public static MapDrawing of(LiveBlocks blocks) {
        BlocksPicture picture = BlocksPicture.of(blocks, LiveColouring.POOL);
        BlocksText words = new BlocksText(() -> Optional.of(picture));
        return new MapDrawing(
                picture.map(),
                IntStream.of(picture.order()).boxed().toList(),
                legend(picture.map()),
                words::segment,
                BlocksText.summary(picture));
    }

    /** What of it is on the map. */
    private static List<LegendEntry> legend(BlockMap map) {
        return List.of(
                        new LegendEntry(PieceKind.BLOCK, BlockTones.SHORT, TEXTS.get("lifetime.short")),
                        new LegendEntry(PieceKind.BLOCK, BlockTones.LONG, TEXTS.get("lifetime.long")),
                        new LegendEntry(PieceKind.BLOCK, BlockTones.ALLOCATED, TEXTS.get("live.range.large")),
                        new LegendEntry(PieceKind.BLOCK, BlockTones.PLAIN, TEXTS.get("live.range.small")),
                        new LegendEntry(PieceKind.HOLE, 0, TEXTS.get("legend.hole")),
                        new LegendEntry(PieceKind.UNKNOWN, 0, TEXTS.get("legend.unknown")))
                .stream()
                .filter(entry -> IntStream.range(0, map.pieces())
                        .anyMatch(piece -> map.kind(piece) == entry.kind()
                                && (entry.kind() != PieceKind.BLOCK || map.tone(piece) == entry.tone())))
                .toList();
    }
}
