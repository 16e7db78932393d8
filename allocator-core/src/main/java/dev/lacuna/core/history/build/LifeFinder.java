package dev.lacuna.core.history.build;

import dev.lacuna.core.base.event.EventKind;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.Lives.Opening;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the lives of a device's blocks. What an event frees and none handed out was alive before the recording; so was what
 * the segments still hold at the end and no event tells of. An address that contradicts what came before is passed over.
 */
public final class LifeFinder {
    private static final int NONE = DeviceHistory.NONE;

    /** What the map says of an address that was taken and is free again. */
    private static final int DEAD = Integer.MAX_VALUE;

    /** A block that was alive before the first event, as it is found. */
    private static final class Found {
        private final Opening block;
        private final long bytes;
        private int freed;
        private int died;

        Found(Opening block, long bytes, int freed, int died) {
            this.block = block;
            this.bytes = bytes;
            this.freed = freed;
            this.died = died;
        }
    }

    private final SnapshotDevice device;
    private final SnapshotEvents events;
    private final boolean tellsRequests;
    private final boolean reachesEnd;
    private final AddressMap known = new AddressMap();
    private final List<Found> opening = new ArrayList<>();
    private final int[] born;
    private final int[] freed;
    private final int[] died;
    private final long[] bytes;
    private final int[] ofEvent;
    private int births;
    private int contradictions;

    private LifeFinder(SnapshotDevice device, boolean reachesEnd) {
        this.device = device;
        this.reachesEnd = reachesEnd;
        events = device.events();
        tellsRequests = events.count(EventKind.FREE) > 0;
        int most = events.count(EventKind.ALLOC);
        born = new int[most];
        freed = new int[most];
        died = new int[most];
        bytes = new long[most];
        ofEvent = new int[events.size()];
    }

    /** What was found: block sizes only where the segments at the end tell them, else 0. */
    public record Result(Lives lives, int contradictions) {}

    /**
     * Finds them.
     *
     * @param reachesEnd whether the events go on until the segments were taken down; else what lies between is not known
     */
    public static Result find(SnapshotDevice device, boolean reachesEnd, OpenRequest request) {
        LifeFinder finder = new LifeFinder(device, reachesEnd);
        finder.follow(request);
        finder.compareWithTheEnd();
        return new Result(finder.lives(), finder.contradictions);
    }

    private void follow(OpenRequest request) {
        for (int i = 0; i < ofEvent.length; i++) {
            request.checkAt(i);
            ofEvent[i] = switch (events.action(i)) {
                case ALLOC -> allocated(i);
                case FREE, FREE_COMPLETED -> freed(i);
                default -> NONE;
            };
        }
    }

    /** Births have the codes 0, 2, 4 …; blocks alive before, 1, 3, 5 …. */
    private int allocated(int i) {
        int code = 2 * births;
        born[births] = i;
        freed[births] = ofEvent.length;
        died[births] = ofEvent.length;
        births++;
        int before = known.put(events.address(i), code);
        if (before != AddressMap.NONE && before != DEAD) {
            contradictions++;
            end(before, i);
        }
        return code;
    }

    private int freed(int i) {
        long address = events.address(i);
        int code = known.get(address);
        if (code == DEAD) {
            contradictions++;
            return NONE;
        }
        boolean completed = events.action(i) == EventKind.FREE_COMPLETED;
        if (code == AddressMap.NONE) {
            code = 2 * opening.size() + 1;
            boolean pending = completed && tellsRequests;
            Opening block = new Opening(address, events.bytes(i), events.stream(i), 0);
            opening.add(new Found(block, 0, pending ? NONE : ofEvent.length, ofEvent.length));
            known.put(address, code);
        }
        if (completed) {
            end(code, i);
            known.put(address, DEAD);
        } else if (freedAt(code) == ofEvent.length) {
            freedAt(code, i);
        }
        return code;
    }

    private void end(int code, int i) {
        if (freedAt(code) == ofEvent.length) {
            freedAt(code, i);
        }
        if (code % 2 == 0) {
            died[code / 2] = i;
        } else {
            opening.get(code / 2).died = i;
        }
    }

    private int freedAt(int code) {
        return code % 2 == 0 ? freed[code / 2] : opening.get(code / 2).freed;
    }

    private void freedAt(int code, int i) {
        if (code % 2 == 0) {
            freed[code / 2] = i;
        } else {
            opening.get(code / 2).freed = i;
        }
    }

    private void compareWithTheEnd() {
        SnapshotBlocks blocks = device.blocks();
        for (int b = 0; b < blocks.size(); b++) {
            if (blocks.state(b) != BlockState.FREE) {
                compare(blocks, b);
            }
        }
    }

    private void compare(SnapshotBlocks blocks, int b) {
        int code = known.get(blocks.address(b));
        boolean pending = blocks.state(b) == BlockState.PENDING;
        if (!reachesEnd && !maybeTheSame(code, blocks, b)) {
            return;
        }
        if (code == DEAD) {
            contradictions++;
        } else if (code == AddressMap.NONE) {
            long stream = device.segments().stream(blocks.segment(b));
            Opening block = new Opening(blocks.address(b), blocks.requestedBytes(b), stream, blocks.stack(b));
            int never = ofEvent.length;
            known.put(blocks.address(b), 2 * opening.size() + 1);
            opening.add(new Found(block, blocks.bytes(b), pending ? NONE : never, never));
        } else if (code % 2 == 0) {
            bytes[code / 2] = blocks.bytes(b);
            if (pending && freed[code / 2] == ofEvent.length) {
                // The recording left the request out: some time between its birth and the end.
                freed[code / 2] = ofEvent.length - 1;
            }
        } else {
            opening.set(code / 2, atTheEnd(opening.get(code / 2), blocks, b));
        }
    }

    /** Whether a block at the end may be the one that the events, which end before, know at its address or know nothing of. */
    private boolean maybeTheSame(int code, SnapshotBlocks blocks, int b) {
        long address = blocks.address(b);
        if (code == AddressMap.NONE) {
            long end = address + blocks.bytes(b);
            return known.nextAbove(address, end) == end;
        }
        long asked = code == DEAD
                ? -1
                : code % 2 == 0
                        ? events.bytes(born[code / 2])
                        : opening.get(code / 2).block.requested();
        return asked == blocks.requestedBytes(b);
    }

    /** A block that events told of, which is still there at the end: its size and its stack are known. */
    private static Found atTheEnd(Found found, SnapshotBlocks blocks, int b) {
        Opening block =
                new Opening(found.block.address(), found.block.requested(), found.block.stream(), blocks.stack(b));
        return new Found(block, blocks.bytes(b), found.freed, found.died);
    }

    // ---------------------------------------------------------------- in the order of their numbers

    private Lives lives() {
        int before = opening.size();
        int[] order = IntStream.range(0, before)
                .boxed()
                .sorted(Comparator.comparing((Integer o) -> opening.get(o).block.address(), Long::compareUnsigned))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] numbers = new int[before];
        Opening[] sorted = new Opening[before];
        int[] allBorn = behind(before, born);
        int[] allFreed = behind(before, freed);
        int[] allDied = behind(before, died);
        long[] allBytes = new long[before + births];
        System.arraycopy(bytes, 0, allBytes, before, births);
        for (int a = 0; a < before; a++) {
            Found found = opening.get(order[a]);
            numbers[order[a]] = a;
            sorted[a] = found.block;
            allBorn[a] = NONE;
            allFreed[a] = found.freed;
            allDied[a] = found.died;
            allBytes[a] = found.bytes;
        }
        for (int i = 0; i < ofEvent.length; i++) {
            int code = ofEvent[i];
            ofEvent[i] = code == NONE ? NONE : code % 2 == 0 ? before + code / 2 : numbers[code / 2];
        }
        return new Lives(sorted, allBytes, allBorn, allFreed, allDied, ofEvent);
    }

    private static int[] behind(int gap, int[] values) {
        int[] out = new int[gap + values.length];
        Arrays.fill(out, 0, gap, NONE);
        System.arraycopy(values, 0, out, gap, values.length);
        return out;
    }
}
