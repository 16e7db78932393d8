package dev.lacuna.core.planning.graph.retention;

/** The stages whose peak must be found anew, each once. */
final class DirtyStages {
    private final boolean[] marked;
    private final int[] stages;
    private int count;

    /** @param size how many stages there are */
    DirtyStages(int size) {
        marked = new boolean[size];
        stages = new int[size];
    }

    void mark(int stage) {
        if (!marked[stage]) {
            marked[stage] = true;
            stages[count] = stage;
            count++;
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes one out, the one marked last. */
    int take() {
        count--;
        marked[stages[count]] = false;
        return stages[count];
    }
}
