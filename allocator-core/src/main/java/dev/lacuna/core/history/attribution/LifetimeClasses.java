package dev.lacuna.core.history.attribution;

import dev.lacuna.core.history.model.DeviceHistory;
import java.util.Arrays;
import java.util.List;

/** Sorts the blocks of a recording by how long they lived: by steps where it marks them, else by events. Immutable. */
public final class LifetimeClasses {
    /** A block that outlives one part in so many of a recording without steps is long-lived. */
    private static final int PARTS = 10;

    private final DeviceHistory history;
    private final int[] stepStarts;

    private LifetimeClasses(DeviceHistory history, int[] stepStarts) {
        this.history = history;
        this.stepStarts = stepStarts;
    }

    /** The lifetimes of a recording that marks no steps. */
    public static LifetimeClasses of(DeviceHistory history) {
        return new LifetimeClasses(history, new int[0]);
    }

    /** The lifetimes of a recording whose steps begin at these moments. */
    public static LifetimeClasses of(DeviceHistory history, List<Integer> stepStarts) {
        int[] starts = stepStarts.stream()
                .mapToInt(Integer::intValue)
                .sorted()
                .distinct()
                .toArray();
        return new LifetimeClasses(history, starts.length < 2 ? new int[0] : starts);
    }

    /** How long this block lived. */
    public LifetimeClass of(int allocation) {
        int born = history.bornAt(allocation);
        int freed = history.freedAt(allocation);
        if (born < 0 && freed >= history.size()) {
            return LifetimeClass.THROUGH;
        }
        boolean lasting = stepStarts.length > 0
                ? stepsBefore(born) != stepsBefore(freed)
                : freed - born > Math.max(1, history.size() / PARTS);
        return lasting ? LifetimeClass.LONG : LifetimeClass.SHORT;
    }

    /** How many steps have begun before this event. */
    private int stepsBefore(int event) {
        int place = Arrays.binarySearch(stepStarts, event);
        return place < 0 ? -place - 1 : place + 1;
    }
}
