package dev.lacuna.app.fuzz;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.LogManager;

/**
 * A process that gives readers damaged inputs until its time is over, counts them and stops at the first that breaks a reader: anything
 * but an outcome or a refusal in words, or more than five seconds of processor. Its heap is its caller's choice.
 */
final class FuzzRun {
    /** Status when a reader broke. */
    static final int BROKEN = 9;

    /** Property: the seconds that a reader may take for one input, of processor, so that a busy machine makes no difference. */
    static final String MOST = "lacuna.fuzz.most";

    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger(MOST));

    private static final int POLL_MS = 50;
    /** An input that neither works nor ends waits for something that does not come. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private static final int MOST_KEPT = 400;

    private final PrintStream report = System.out;
    private final OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Path kept;

    /** What is being read now; watched by a thread of its own. */
    private record Current(String reader, byte[] input, long processorNanos, long beganNanos) {}

    private volatile Current current;

    private FuzzRun(Path kept) {
        this.kept = kept;
    }

    /**
     * FOLDER {@code seeds|found} READER…, FOLDER {@code for MILLISECONDS SEED} READER…, or FOLDER {@code inputs COUNT SEED} READER…
     *
     * <p>FOLDER takes the inputs that break a reader. Without readers, all.
     */
    public static void main(String[] arguments) throws IOException {
        // What readers log of damaged files would bury what is told here.
        LogManager.getLogManager().reset();
        Path folder = Path.of(arguments[0]);
        FuzzRun run = new FuzzRun(folder);
        Thread watch = new Thread(run::watch, "watch");
        watch.setDaemon(true);
        watch.start();
        boolean counted = arguments[1].equals("for") || arguments[1].equals("inputs");
        List<String> names = List.of(arguments).subList(counted ? 4 : 2, arguments.length);
        for (Reader reader : Readers.all(folder)) {
            if (names.isEmpty() ? !reader.name().startsWith(Readers.BROKEN) : names.contains(reader.name())) {
                switch (arguments[1]) {
                    case "seeds" -> run.seeds(reader);
                    case "found" -> run.found(reader);
                    default ->
                        run.fuzz(
                                reader,
                                arguments[1].equals("for"),
                                Long.parseLong(arguments[2]),
                                Long.parseLong(arguments[3]));
                }
            }
        }
        System.exit(0);
    }

    /** Each seed is understood: damaged versions of what is refused anyway would test little. */
    private void seeds(Reader reader) {
        for (byte[] seed : reader.seeds()) {
            String outcome = read(reader, seed);
            if (outcome.startsWith(Reader.REFUSED)) {
                broken(reader.name(), seed, "a seed is not understood: " + outcome);
            }
        }
        reported(reader, reader.seeds().size());
    }

    private void found(Reader reader) {
        List<Path> files = Seeds.files("found/" + reader.name());
        files.forEach(file -> read(reader, Seeds.content(file)));
        reported(reader, files.size());
    }

    private void fuzz(Reader reader, boolean timed, long most, long seed) {
        Mutator mutator = new Mutator(seed * 31 + reader.name().hashCode());
        List<byte[]> pool = new ArrayList<>(reader.seeds());
        Set<String> outcomes = new HashSet<>();
        long slowest = TimeUnit.MILLISECONDS.toNanos(20);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(most);
        long[] count = {0};
        BooleanSupplier more = timed ? () -> System.nanoTime() < end : () -> count[0] < most;
        while (more.getAsBoolean()) {
            byte[] input = mutator.next(pool);
            long before = System.nanoTime();
            boolean fresh = outcomes.add(read(reader, input));
            long took = System.nanoTime() - before;
            count[0]++;
            // What leads somewhere new, and what takes longer than all before, is damaged further.
            if ((fresh || took > slowest) && pool.size() < MOST_KEPT) {
                pool.add(input);
                slowest = Math.max(slowest, took + took / 4);
            }
        }
        reported(reader, count[0]);
        report.println("  " + outcomes.size() + " outcomes, the slowest of some "
                + TimeUnit.NANOSECONDS.toMillis(slowest) + " ms");
    }

    private void reported(Reader reader, long inputs) {
        report.println(reader.name() + ": " + inputs + " inputs");
    }

    private String read(Reader reader, byte[] input) {
        current = new Current(reader.name(), input, machine.getProcessCpuTime(), System.nanoTime());
        try {
            return reader.reading().read(input.clone());
        } catch (Throwable fault) {
            StringWriter trace = new StringWriter();
            fault.printStackTrace(new PrintWriter(trace));
            String text = trace.toString();
            broken(reader.name(), input, text.substring(0, Math.min(6000, text.length())));
            throw new AssertionError("not reached", fault);
        } finally {
            current = null;
        }
    }

    private void watch() {
        while (true) {
            try {
                Thread.sleep(POLL_MS);
            } catch (InterruptedException e) {
                return;
            }
            Current now = current;
            if (now == null) {
                continue;
            }
            long took = machine.getProcessCpuTime() - now.processorNanos();
            if (now == current && (took > MOST_NANOS || System.nanoTime() - now.beganNanos() > LONGEST_WAIT_NANOS)) {
                broken(
                        now.reader(),
                        now.input(),
                        "over " + TimeUnit.NANOSECONDS.toSeconds(MOST_NANOS) + " s of processors; it is at\n"
                                + places());
            }
        }
    }

    private static String places() {
        StringBuilder places = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, trace) -> {
            if (!thread.isDaemon() || thread.getName().startsWith("pool")) {
                places.append(thread.getName()).append('\n');
                for (int i = 0; i < Math.min(trace.length, 25); i++) {
                    places.append("    ").append(trace[i]).append('\n');
                }
            }
        });
        return places.toString();
    }

    private void broken(String reader, byte[] input, String how) {
        try {
            Path file =
                    Files.createTempFile(Files.createDirectories(kept), reader.replaceAll("\\W+", "-") + "-", ".broke");
            Files.write(file, input);
            report.println("BROKEN " + reader + " by " + input.length + " bytes, kept as " + file + ": " + how);
            report.flush();
        } catch (IOException e) {
            e.printStackTrace(report);
        } finally {
            Runtime.getRuntime().halt(BROKEN);
        }
    }
}
