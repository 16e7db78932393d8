package dev.lacuna.core.history.build;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.history.model.SegmentState.Segment;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.Optional;

/**
 * Finds how large blocks were. A trace tells what was asked for; the segments at the end tell the sizes of the blocks that are
 * still there. For the others PyTorch's split rule tells it: of a free piece of a large pool, a rest up to 1 MiB is not split
 * off, so it belongs to the block in front of it. Small and expandable pools split off everything.
 */
public final class BlockSizes {
    /** Up to this a free rest of a large block is not split off: PyTorch's kSmallSize. */
    private static final long LARGE_REST_BYTES = 1L << 20;

    private final SnapshotEvents events;
    private final Lives lives;
    private final CachingOptions options;
    private final boolean expandable;
    private final SegmentSet segments;

    /** Large blocks whose memory is taken: only these lie in the segments where rests are kept. */
    private final AddressMap taken = new AddressMap();

    private BlockSizes(
            SnapshotEvents events, Lives lives, SegmentState opening, CachingOptions options, boolean expandable) {
        this.events = events;
        this.lives = lives;
        this.options = options;
        this.expandable = expandable;
        segments = new SegmentSet(opening);
    }

    /**
     * Fills in the sizes that are not known yet.
     *
     * @param expandable whether the allocator ran with expandable segments: then nothing is left over in any block
     */
    public static void find(
            SnapshotEvents events,
            Lives lives,
            SegmentState opening,
            CachingOptions options,
            boolean expandable,
            OpenRequest request) {
        BlockSizes sizes = new BlockSizes(events, lives, opening, options, expandable);
        sizes.opening();
        sizes.follow(request);
    }

    private void opening() {
        for (int a = 0; a < lives.opening.length; a++) {
            if (keepsRests(lives.opening[a].requested())) {
                taken.put(lives.opening[a].address(), a);
            }
        }
        for (int a = 0; a < lives.opening.length; a++) {
            if (lives.bytes[a] == 0) {
                lives.bytes[a] = size(lives.opening[a].address(), lives.opening[a].requested());
            }
        }
    }

    private void follow(OpenRequest request) {
        for (int i = 0; i < lives.ofEvent.length; i++) {
            request.checkAt(i);
            switch (events.action(i)) {
                case ALLOC -> born(i, lives.ofEvent[i]);
                case FREE_COMPLETED -> {
                    int a = lives.ofEvent[i];
                    if (a >= 0 && keepsRests(lives.bytes[a])) {
                        taken.remove(events.address(i));
                    }
                }
                case GROW, RELEASE, SEGMENT_MAP, SEGMENT_UNMAP ->
                    segments.apply(events.action(i), OpeningSegments.piece(events, i));
                default -> {}
            }
        }
    }

    private void born(int i, int a) {
        long requested = events.bytes(i);
        if (lives.bytes[a] == 0) {
            lives.bytes[a] = size(events.address(i), requested);
        }
        if (keepsRests(requested)) {
            taken.put(events.address(i), a);
        }
    }

    private boolean keepsRests(long bytes) {
        return !expandable && bytes > LARGE_REST_BYTES - CachingOptions.NPU_PAD_BYTES;
    }

    private long size(long address, long requested) {
        long rounded = requested <= 0 ? 0 : options.rounded(requested);
        if (!keepsRests(requested)) {
            return rounded;
        }
        Optional<Segment> segment = segments.containing(address);
        if (segment.isEmpty() || !segment.get().large() || segment.get().expandable()) {
            return rounded;
        }
        long room = taken.nextAbove(address, segment.get().end()) - address;
        long mostRest = rounded >= options.maxSplitBytes() ? Long.MAX_VALUE : LARGE_REST_BYTES;
        return room > rounded && room - rounded <= mostRest ? room : rounded;
    }
}
