package dev.lacuna.bridge.launch;

import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A training process that this program started. Closing it ends it and what it started. */
public final class LaunchedTraining implements AutoCloseable {
    private static final long GRACE_S = 3;

    private final Process process;
    private final OutputTail tail = new OutputTail();
    private final CompletableFuture<Integer> finished;

    LaunchedTraining(Process process) {
        this.process = process;
        CompletableFuture<Void> drained = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    tail.drain(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                    drained.complete(null);
                },
                "lacuna-output-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        this.finished = process.onExit().thenCombine(drained, (ended, nothing) -> ended.exitValue());
    }

    /** Its process id, under which its agent will be found once it has allocated a tensor. */
    public long pid() {
        return process.pid();
    }

    /** Whether it still runs. */
    public boolean running() {
        return process.isAlive();
    }

    /** Its last thousand lines of output, standard error included, oldest first. */
    public List<String> output() {
        return tail.lines();
    }

    /** Completes with its exit status when it has ended and all its output was read. */
    public CompletableFuture<Integer> onExit() {
        return finished.copy();
    }

    /** Asks it to end (SIGTERM); after three seconds, or when the calling thread is interrupted, it is killed; so is what it started. */
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(GRACE_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
