package dev.lacuna.ui.task;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Runs everything on the calling thread, and time only when told: makes tests of view models plain and exact. */
public final class CurrentThreadTaskExecutor implements TaskExecutor {
    private final List<Due> due = new ArrayList<>();
    private long nowNs;
    private final List<BackgroundTask<?>> held = new ArrayList<>();
    private boolean holding;
    private long order;

    @Override
    public <T> void execute(BackgroundTask<T> task) {
        if (holding) {
            held.add(task);
        } else {
            task.run(Runnable::run);
        }
    }

    /** Tasks wait from now on, as if all threads were busy. */
    public void hold() {
        holding = true;
    }

    /** Runs the tasks that waited, in order, and lets the next ones run at once. */
    public void release() {
        holding = false;
        List<BackgroundTask<?>> waited = List.copyOf(held);
        held.clear();
        waited.forEach(task -> task.run(Runnable::run));
    }

    /** Runs the first of the tasks that wait; what follows from it waits too. */
    public void releaseOne() {
        held.remove(0).run(Runnable::run);
    }

    @Override
    public Running after(Duration delay, Runnable onUi) {
        Due entry = new Due(nowNs + delay.toNanos(), order++, onUi);
        due.add(entry);
        return () -> due.remove(entry);
    }

    @Override
    public Running every(Duration period, Supplier<? extends BackgroundTask<?>> tasks) {
        boolean[] stopped = new boolean[1];
        Runnable[] round = new Runnable[1];
        round[0] = () -> {
            if (!stopped[0]) {
                tasks.get().run(Runnable::run);
                after(period, round[0]);
            }
        };
        round[0].run();
        return () -> stopped[0] = true;
    }

    /** Lets time pass and runs what falls due in it, in order. */
    public void pass(Duration time) {
        long until = nowNs + time.toNanos();
        while (true) {
            Due next = due.stream()
                    .filter(d -> d.atNs <= until)
                    .min(Comparator.comparingLong(Due::atNs).thenComparingLong(Due::order))
                    .orElse(null);
            if (next == null) {
                break;
            }
            due.remove(next);
            nowNs = next.atNs;
            next.action.run();
        }
        nowNs = until;
    }

    private record Due(long atNs, long order, Runnable action) {}
}
