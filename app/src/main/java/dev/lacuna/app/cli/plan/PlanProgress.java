package dev.lacuna.app.cli.plan;

import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.planning.PlanningProgress;
import dev.lacuna.core.planning.method.PlanPoint;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How far planning is, on stderr once it takes longer than a second: one line that changes on a terminal, elsewhere a line
 * now and then.
 */
final class PlanProgress implements AutoCloseable {
    private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ON_TERMINAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long ELSEWHERE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final String TO_START_OF_LINE_AND_CLEAR = "\r\u001B[K";

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier clockNs;
    private final long limitSeconds;
    private final long beganNs;
    private final Thread ticking = new Thread(this::tick, "lacuna-plan-progress");
    private Optional<PlanningProgress> latest = Optional.empty();
    private long nextNs;
    private boolean shown;
    private boolean closed;

    /** Nothing is said until {@link #begin}. */
    PlanProgress(PrintStream out, boolean terminal, LongSupplier clockNs, long limitSeconds) {
        this.out = out;
        this.terminal = terminal;
        this.clockNs = clockNs;
        this.limitSeconds = limitSeconds;
        this.beganNs = clockNs.getAsLong();
        this.nextNs = beganNs + FIRST_NS;
    }

    /** Says something even while one method takes long. */
    PlanProgress begin() {
        ticking.setDaemon(true);
        ticking.start();
        return this;
    }

    /** It is there now. */
    synchronized void at(PlanningProgress progress) {
        latest = Optional.of(progress);
        show();
    }

    /** Says how far it is, where it is time to. */
    synchronized void show() {
        long now = clockNs.getAsLong();
        if (closed || latest.isEmpty() || now - nextNs < 0) {
            return;
        }
        nextNs = now + (terminal ? ON_TERMINAL_NS : ELSEWHERE_NS);
        String line = text(latest.get(), TimeUnit.NANOSECONDS.toSeconds(now - beganNs));
        out.print(terminal ? TO_START_OF_LINE_AND_CLEAR + line : "lacuna: " + line + System.lineSeparator());
        out.flush();
        shown = terminal;
    }

    private String text(PlanningProgress progress, long seconds) {
        String best = progress.best()
                .map(plan -> CliText.text("plan.progress.best", overhead(plan), plan.method()))
                .orElse("");
        return CliText.text(
                "plan.progress",
                progress.method(),
                ByteSize.format(progress.budgetBytes()),
                String.valueOf(progress.done()),
                String.valueOf(progress.all()),
                best,
                String.valueOf(seconds),
                String.valueOf(limitSeconds));
    }

    private static String overhead(PlanPoint.Planned plan) {
        return String.format(Locale.ROOT, "%.4f", plan.overhead());
    }

    private void tick() {
        try {
            while (!isClosed()) {
                show();
                Thread.sleep(TimeUnit.NANOSECONDS.toMillis(ON_TERMINAL_NS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Removes the line; says nothing more. */
    @Override
    public synchronized void close() {
        closed = true;
        if (shown) {
            out.print(TO_START_OF_LINE_AND_CLEAR);
            out.flush();
            shown = false;
        }
    }
}
