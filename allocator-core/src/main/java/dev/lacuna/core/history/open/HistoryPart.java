package dev.lacuna.core.history.open;

import dev.lacuna.core.history.build.LoadRange;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.EventPools;
import dev.lacuna.core.history.model.Lives;
import dev.lacuna.core.history.model.Lives.Opening;
import dev.lacuna.core.history.model.SegmentSet;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.snapshot.model.SnapshotEvents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Cuts some events out of a history: what happened before goes into the opening state, what comes after is left out. */
public final class HistoryPart {
    private static final int NONE = DeviceHistory.NONE;

    private final DeviceHistory whole;
    private final int from;
    private final int to;

    private HistoryPart(DeviceHistory whole, int from, int to) {
        this.whole = whole;
        this.from = from;
        this.to = to;
    }

    /** The events {@code from} … {@code to}−1, 0 ≤ from ≤ to ≤ size. */
    public static DeviceHistory of(DeviceHistory whole, int from, int to) {
        return new HistoryPart(whole, from, to).cut();
    }

    /** The events that a range means on this device: first, and the one after the last. */
    public static int[] bounds(DeviceHistory whole, LoadRange range) {
        int from;
        int to;
        if (range instanceof LoadRange.Events) {
            LoadRange.Events events = (LoadRange.Events) range;
            from = Math.min(events.from(), whole.size());
            to = Math.min(events.to(), whole.size());
        } else {
            LoadRange.Times times = (LoadRange.Times) range;
            from = eventAt(whole, times.fromNs());
            to = eventAt(whole, times.toNs());
        }
        return new int[] {from, Math.max(from, to)};
    }

    /** Index of the first event at this time or later; 0 where events tell no times. */
    static int eventAt(DeviceHistory history, long timeNs) {
        int low = 0;
        int high = history.timed() ? history.size() : 0;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (history.timeNs(middle) < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private DeviceHistory cut() {
        SegmentSet segments = new SegmentSet(whole.opening());
        for (int i = 0; i < from; i++) {
            segments.apply(whole, i);
        }
        SegmentState opening = segments.state();
        for (int i = from; i < to; i++) {
            segments.apply(whole, i);
        }
        SegmentState closing = to == whole.size() ? whole.closing() : segments.state();
        SnapshotEvents events = whole.events().copy(from, to);
        List<Integer> before = new ArrayList<>();
        List<Integer> all = kept(before);
        EventPools pools = whole.pools()
                .part(from, to, all.stream().mapToInt(Integer::intValue).toArray());
        return new DeviceHistory(
                whole.device(),
                events,
                whole.stacks(),
                lives(before, all),
                opening,
                closing,
                whole.addressed(),
                pools,
                Optional.empty());
    }

    /** The allocations of the part in the order of their numbers; fills in which of them were there before it. */
    private List<Integer> kept(List<Integer> before) {
        List<Integer> born = new ArrayList<>();
        for (int a = 0; a < whole.allocations(); a++) {
            if (whole.bornAt(a) < from && whole.diedAt(a) >= from) {
                before.add(a);
            } else if (whole.bornAt(a) >= from && whole.bornAt(a) < to) {
                born.add(a);
            }
        }
        before.sort(Comparator.comparing(whole::addressOf, Long::compareUnsigned));
        List<Integer> all = new ArrayList<>(before);
        all.addAll(born);
        return all;
    }

    private Lives lives(List<Integer> before, List<Integer> all) {
        int[] numbers = new int[whole.allocations()];
        Arrays.fill(numbers, NONE);
        Opening[] opening = new Opening[before.size()];
        long[] bytes = new long[all.size()];
        int[] births = new int[all.size()];
        int[] frees = new int[all.size()];
        int[] deaths = new int[all.size()];
        for (int n = 0; n < all.size(); n++) {
            int a = all.get(n);
            numbers[a] = n;
            if (n < opening.length) {
                opening[n] = new Opening(
                        whole.addressOf(a), whole.requestedOf(a), whole.streamOf(a), Math.max(0, whole.stackOf(a)));
            }
            bytes[n] = whole.bytesOf(a);
            births[n] = n < opening.length ? NONE : whole.bornAt(a) - from;
            frees[n] = moved(whole.freedAt(a));
            deaths[n] = moved(whole.diedAt(a));
        }
        int[] ofEvent = new int[to - from];
        for (int i = 0; i < ofEvent.length; i++) {
            int a = whole.allocation(from + i);
            ofEvent[i] = a == NONE ? NONE : numbers[a];
        }
        return new Lives(opening, bytes, births, frees, deaths, ofEvent);
    }

    private int moved(int event) {
        return event < from ? NONE : Math.min(event, to) - from;
    }
}
