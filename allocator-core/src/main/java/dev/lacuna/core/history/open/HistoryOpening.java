package dev.lacuna.core.history.open;

import dev.lacuna.core.base.event.HeldSegment;
import dev.lacuna.core.base.event.HeldSegment.HeldBlock;
import dev.lacuna.core.base.event.OpeningMemory;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.SegmentState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToIntFunction;

/** What a device held at the first moment of its history, for a replay that goes on from there. */
final class HistoryOpening {
    private final DeviceHistory history;
    private final SegmentState opening;

    HistoryOpening(DeviceHistory history) {
        this.history = history;
        opening = history.opening();
    }

    /**
     * The segments with their blocks, which are named as the allocations are numbered. Empty where nothing was held, where
     * segments are expandable, where they are a model's own, or where the blocks do not fit into them.
     *
     * @param streams numbers for the handles of streams
     */
    Optional<OpeningMemory> memory(LongToIntFunction streams) {
        List<List<Integer>> inside = inside();
        if (!history.addressed() || opening.size() == 0 || inside.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<HeldSegment> held = new ArrayList<>();
            for (int s = 0; s < opening.size(); s++) {
                if (opening.expandable(s)) {
                    return Optional.empty();
                }
                held.add(new HeldSegment(
                        opening.large(s),
                        opening.address(s),
                        opening.totalBytes(s),
                        streams.applyAsInt(opening.stream(s)),
                        blocks(s, inside.get(s))));
            }
            return Optional.of(new OpeningMemory(held));
        } catch (IllegalArgumentException e) {
            // A file that contradicts itself: its requests alone can be replayed still.
            return Optional.empty();
        }
    }

    /** Per segment the allocations in it, by address; empty where one lies in none. */
    private List<List<Integer>> inside() {
        List<List<Integer>> inside = new ArrayList<>();
        for (int s = 0; s < opening.size(); s++) {
            inside.add(new ArrayList<>());
        }
        for (int a = 0; a < history.openingAllocations(); a++) {
            int segment = opening.rowOf(history.addressOf(a));
            if (segment == SegmentState.NONE) {
                return List.of();
            }
            inside.get(segment).add(a);
        }
        inside.forEach(
                blocks -> blocks.sort((a, b) -> Long.compareUnsigned(history.addressOf(a), history.addressOf(b))));
        return inside;
    }

    private List<HeldBlock> blocks(int segment, List<Integer> allocations) {
        List<HeldBlock> blocks = new ArrayList<>();
        long at = opening.address(segment);
        for (int a : allocations) {
            if (history.addressOf(a) != at) {
                blocks.add(HeldBlock.free(history.addressOf(a) - at));
            }
            blocks.add(HeldBlock.live(a, history.bytesOf(a), Math.max(0, history.requestedOf(a))));
            at = history.addressOf(a) + history.bytesOf(a);
        }
        long end = opening.address(segment) + opening.totalBytes(segment);
        if (at != end) {
            blocks.add(HeldBlock.free(end - at));
        }
        return blocks;
    }
}
