package dev.lacuna.app.demo;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.hosted.HostedAllocator;
import dev.lacuna.bridge.hosted.HostedSettings;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program of its own: makes the requests of a training GPT of the native allocator in this virtual machine, which appears
 * as a training process. Arguments: capacity in bytes, fraction, optimisation on|off, steps (0 = until stopped), parent pid,
 * tokens of a batch.
 */
public final class BuiltinWorkload {
    private static final long SEED = 1;
    private static final long PAUSE_MS = 40;

    private BuiltinWorkload() {}

    /** Runs it; ends with status 1 on an out-of-memory, like a trainer does. */
    public static void main(String[] args) throws BridgeException {
        long capacity = Long.parseLong(args[0]);
        double fraction = Double.parseDouble(args[1]);
        boolean optimisation = args[2].equals("on");
        long steps = Long.parseLong(args[3]);
        Optional<ProcessHandle> parent = ProcessHandle.of(Long.parseLong(args[4]));
        try (HostedAllocator allocator =
                HostedAllocator.open(HostedSettings.served(capacity, fraction, optimisation))) {
            run(new GptRequests(new SwappingMemory(allocator), SEED, Integer.parseInt(args[5])), steps, parent);
        } catch (SwappingMemory.OutOfDeviceMemory e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void run(GptRequests requests, long steps, Optional<ProcessHandle> parent) {
        requests.setUp();
        for (long step = 1;
                (steps == 0 || step <= steps)
                        && parent.map(ProcessHandle::isAlive).orElse(true);
                step++) {
            requests.step(BuiltinWorkload::pause);
            System.out.println("step " + step);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
