package dev.lacuna.app.cli.process;

import dev.lacuna.bridge.Answer;
import dev.lacuna.bridge.AttachedProcess;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.NamedPhases;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks a process for its phases four times a second, beside who reads its samples: an answer may take a while. */
final class PhaseWatch implements AutoCloseable {
    private static final long PAUSE_MS = 250;

    private final AttachedProcess process;
    private final Set<Integer> devices = ConcurrentHashMap.newKeySet();
    private final Map<Integer, NamedPhases> known = new ConcurrentHashMap<>();
    private final ScheduledExecutorService asker = Executors.newSingleThreadScheduledExecutor(run -> {
        Thread thread = new Thread(run, "lacuna-phases");
        thread.setDaemon(true);
        return thread;
    });

    PhaseWatch(AttachedProcess process) {
        this.process = process;
        asker.scheduleWithFixedDelay(this::ask, 0, PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    /** What it does on this device, as it last told; empty where it does not tell. */
    Optional<NamedPhases.Phase> innermost(int device) {
        devices.add(device);
        return Optional.ofNullable(known.get(device)).flatMap(NamedPhases::innermost);
    }

    private void ask() {
        for (int device : devices) {
            try {
                if (process.phases(device) instanceof Answer.Given<NamedPhases> given) {
                    known.put(device, given.value());
                }
            } catch (BridgeException stoppedOrGone) {
                // The samples tell what became of it; of its phases nothing is known now.
                known.remove(device);
            }
        }
    }

    @Override
    public void close() {
        asker.shutdownNow();
    }
}
