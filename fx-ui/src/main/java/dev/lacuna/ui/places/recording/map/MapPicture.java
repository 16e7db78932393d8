package dev.lacuna.ui.places.recording.map;

import dev.lacuna.core.history.model.Moment;
import dev.lacuna.ui.blockmap.BlockMap;
import dev.lacuna.ui.blockmap.PieceKind;
import java.util.List;

/**
 * One moment, ready to be drawn. Its pieces have the numbers that they have in the moment, and are named after their allocations.
 *
 * @param moment what is shown
 * @param map the same in colours
 * @param order its segments in the order of the rows
 * @param colouring what the colours tell
 * @param pools pools by tone, where pools are coloured
 * @param streams streams by tone, where streams are coloured
 */
record MapPicture(
        Moment moment,
        BlockMap map,
        int[] order,
        Colouring colouring,
        List<BlockColours.Pool> pools,
        List<Long> streams) {

    static MapPicture of(Moment moment, BlockColours colours, Colouring colouring, SegmentOrder order) {
        BlockMap.Builder map = new BlockMap.Builder(moment.segments().size(), moment.pieces());
        for (int s = 0; s < moment.segments().size(); s++) {
            map.segment(moment.segments().address(s), moment.segments().totalBytes(s));
            for (int p = moment.firstPiece(s); p < moment.endPiece(s); p++) {
                int allocation = moment.allocation(p);
                int tone = allocation == Moment.NONE ? 0 : colours.tone(colouring, moment, s, allocation);
                map.piece(moment.address(p), moment.bytes(p), kind(moment.state(p)), tone, allocation);
            }
        }
        return new MapPicture(moment, map.build(), order.of(moment), colouring, colours.pools(), colours.streams());
    }

    private static PieceKind kind(Moment.State state) {
        return switch (state) {
            case ACTIVE -> PieceKind.BLOCK;
            case PENDING -> PieceKind.PENDING;
            case HOLE -> PieceKind.HOLE;
        };
    }
}
