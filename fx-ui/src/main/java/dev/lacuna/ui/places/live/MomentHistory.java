package dev.lacuna.ui.places.live;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The figures of a whole session in bounded room: every sample of the last minutes; of what is older fewer and fewer. UI thread only; no
 * toolkit.
 */
final class MomentHistory {
    /** Five minutes at 30 samples a second before anything is left out. */
    static final int MOST = 9000;

    private final List<LiveMoment> moments = new ArrayList<>();

    void add(LiveMoment moment) {
        if (!moments.isEmpty() && moment.timeNs() <= newest().timeNs()) {
            return;
        }
        if (moments.size() == MOST) {
            thinOut();
        }
        moments.add(moment);
    }

    void clear() {
        moments.clear();
    }

    boolean isEmpty() {
        return moments.isEmpty();
    }

    int size() {
        return moments.size();
    }

    /** The newest; there must be one. */
    LiveMoment newest() {
        return moments.get(moments.size() - 1);
    }

    /** The one closest to an instant; empty when there is none. */
    Optional<LiveMoment> nearest(long timeNs) {
        if (moments.isEmpty()) {
            return Optional.empty();
        }
        int after = Math.min(indexAtOrAfter(timeNs), moments.size() - 1);
        LiveMoment later = moments.get(after);
        LiveMoment earlier = moments.get(Math.max(0, after - 1));
        boolean back = Math.abs(timeNs - earlier.timeNs()) < Math.abs(later.timeNs() - timeNs);
        return Optional.of(back ? earlier : later);
    }

    /** The first that knows of what happened at an instant; the newest when none does. */
    Optional<LiveMoment> knowing(long timeNs) {
        return moments.isEmpty()
                ? Optional.empty()
                : Optional.of(moments.get(Math.min(indexAtOrAfter(timeNs), moments.size() - 1)));
    }

    /** The one so many places later than the one at an instant; earlier for a negative number. */
    Optional<LiveMoment> beside(long timeNs, int places) {
        return moments.isEmpty()
                ? Optional.empty()
                : Optional.of(moments.get(Math.max(0, Math.min(moments.size() - 1, indexAtOrAfter(timeNs) + places))));
    }

    private int indexAtOrAfter(long timeNs) {
        int low = 0;
        int high = moments.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (moments.get(middle).timeNs() < timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Of the older half every second one. */
    private void thinOut() {
        List<LiveMoment> kept = new ArrayList<>(MOST);
        for (int i = 0; i < moments.size(); i++) {
            if (i >= moments.size() / 2 || i % 2 == 0) {
                kept.add(moments.get(i));
            }
        }
        moments.clear();
        moments.addAll(kept);
    }
}
