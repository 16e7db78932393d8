package dev.lacuna.app.cli.process;

import dev.lacuna.app.cli.output.ChartFiles;
import dev.lacuna.app.cli.output.CliText;
import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.bridge.Sample;
import picocli.CommandLine.Mixin;

/** What {@code watch} saves of what it has seen: when it is over, by whatever; Ctrl-C is how most people end it. */
final class WatchFiles {
    @Mixin
    private ChartFiles files = new ChartFiles();

    private Watched watched = new MemoryWatch();
    private boolean saved;

    /**
     * To be closed when watching is over.
     *
     * @param kept what is kept of the samples
     */
    Saving begin(Watched kept) {
        watched = kept;
        if (!files.isAsked()) {
            return () -> {};
        }
        files.probe();
        Thread interrupted = new Thread(this::saveAtTheEnd, "lacuna-end-of-watching");
        Runtime.getRuntime().addShutdownHook(interrupted);
        return this::save;
    }

    /** Until this is closed what is seen is kept; then it is saved. */
    interface Saving extends AutoCloseable {
        @Override
        void close();
    }

    /** Another sample. */
    synchronized void add(Sample sample) {
        watched.add(sample);
    }

    private synchronized void save() {
        if (saved) {
            return;
        }
        saved = true;
        if (watched.isEmpty()) {
            System.err.println("lacuna: " + CliText.text("watch.unseen"));
            return;
        }
        files.write(watched::table, watched::picture);
    }

    /** Saves what was seen, and says what could not be written: where something else is to be said as well. */
    void saveAtTheEnd() {
        if (!files.isAsked()) {
            return;
        }
        try {
            save();
        } catch (CommandFailure unwritable) {
            System.err.println("lacuna: " + unwritable.getMessage());
        }
    }
}
