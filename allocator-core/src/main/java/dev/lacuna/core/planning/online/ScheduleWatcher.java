package dev.lacuna.core.planning.online;

/** Is told what a run does, step by step. Tensors and storages have the numbers that the program's builder gave. */
public interface ScheduleWatcher {
    /** Looks away. */
    ScheduleWatcher NONE = new ScheduleWatcher() {
        @Override
        public void computed(int firstOutput) {}

        @Override
        public void evicted(int storage) {}
    };

    /** A call was run, the first time or again. */
    void computed(int firstOutput);

    /** A storage was given back, for want of room or because nothing refers to it. */
    void evicted(int storage);
}
