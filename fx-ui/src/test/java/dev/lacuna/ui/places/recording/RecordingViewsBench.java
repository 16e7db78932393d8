package dev.lacuna.ui.places.recording;

import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.history.open.TraceHistory;
import dev.lacuna.ui.fakes.FakeExportFiles;
import dev.lacuna.ui.fakes.FakeTraceFiles;
import dev.lacuna.ui.fakes.WindowFixture;
import dev.lacuna.ui.places.recording.attribution.AttributionPanes;
import dev.lacuna.ui.places.recording.focus.RecordingFiles;
import dev.lacuna.ui.places.recording.focus.RecordingViewModel;
import dev.lacuna.ui.window.Place;
import dev.lacuna.ui.window.Shortcut;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javafx.animation.AnimationTimer;
import javafx.application.Application;
import javafx.application.Platform;
import javafx.scene.input.KeyCombination;
import javafx.stage.Stage;

/**
 * Not a test: opens a recording of ten million events in the real Snapshot place at 1600 × 900 and drives it by its own keys, one
 * press a pulse, with {@code -Djavafx.animation.fullspeed=true} as fast as pictures come. Prints the rows of docs/performance.md.
 * Argument: steps of the generated training, 69,000 unless said (146 events each).
 */
public final class RecordingViewsBench {
    private static final int STEPS = 69_000;
    private static final int WARM_UP = 120;
    private static final int FRAMES = 400;

    private RecordingViewsBench() {}

    public static void main(String... args) {
        Application.launch(Measured.class, args);
    }

    /** What is measured: keys that are pressed in turn, one a pulse. */
    private record Round(String name, List<String> keys) {}

    /** The program that is measured. */
    public static final class Measured extends Application {
        private final List<Round> rounds = List.of(
                new Round("timeline, all of it: pan and zoom", presses("W", "S")),
                new Round(
                        "timeline, a tenth of it: pan", presses("W", "W", "W", "D", "D", "D", "D", "D", "A", "A", "A")),
                new Round("timeline: zoom from all to single events and back", zoom()),
                new Round("moment: one event a picture, with the block map", presses("Right", "Right", "Left")));

        private RecordingViewModel model;
        private RecordingPlace place;
        private WindowFixture window;

        @Override
        public void start(Stage stage) {
            List<String> args = getParameters().getRaw();
            int steps = args.isEmpty() ? STEPS : Integer.parseInt(args.get(0));
            window = new WindowFixture(stage);
            RecordingFiles files = new Generated(steps);
            model = new RecordingViewModel(
                    window.context.executor(), window.context.settings().recentTraces(), files);
            window.open(1600, 900, w -> {
                AttributionPanes who = AttributionPanes.of(model, files, new FakeExportFiles(), w.context);
                place = RecordingPlace.of(model, who, (recording, shown, path) -> {}, w.context);
                return List.<Place>of(place);
            });
            model.timelineProperty()
                    .addListener((property, before, now) -> now.ifPresent(timeline -> {
                        System.out.printf(
                                "| what, on %,d events | mean ms | 95 %% ms | pictures/s | CPU ms of the FX thread |%n|---|---|---|---|---|%n",
                                timeline.size());
                        Platform.runLater(() -> measure(0));
                    }));
            model.openExample();
        }

        private void measure(int index) {
            if (index == rounds.size()) {
                window.close();
                Platform.exit();
                return;
            }
            press("H");
            model.focus().momentProperty().set(model.focus().size() / 2);
            new Run(rounds.get(index), () -> measure(index + 1)).start();
        }

        private void press(String key) {
            Optional<Shortcut> shortcut = place.shortcuts().stream()
                    .filter(s -> s.keys().equals(KeyCombination.valueOf(key)))
                    .findFirst();
            shortcut.orElseThrow().action().run();
        }

        private static List<String> presses(String... keys) {
            return List.of(keys);
        }

        private static List<String> zoom() {
            List<String> keys = new ArrayList<>(Collections.nCopies(20, "W"));
            keys.addAll(Collections.nCopies(20, "S"));
            return keys;
        }

        /** Presses a key at each pulse and takes the time between the pulses: what it drew is on the screen by the next. */
        private final class Run extends AnimationTimer {
            private final Round round;
            private final Runnable next;
            private final long[] times = new long[FRAMES];
            private int pulses;
            private long last;
            private long cpu;

            Run(Round round, Runnable next) {
                this.round = round;
                this.next = next;
            }

            @Override
            public void handle(long now) {
                long wall = System.nanoTime();
                int frame = pulses - WARM_UP - 1;
                if (frame >= 0 && frame < FRAMES) {
                    times[frame] = wall - last;
                }
                last = wall;
                if (frame == -1) {
                    cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                }
                if (frame == FRAMES) {
                    stop();
                    report();
                    Platform.runLater(next);
                    return;
                }
                press(round.keys().get(pulses % round.keys().size()));
                pulses++;
            }

            private void report() {
                Arrays.sort(times);
                double mean = Arrays.stream(times).average().orElse(0) / 1e6;
                System.out.printf(
                        "| %s | %.1f | %.1f | %.0f | %.1f |%n",
                        round.name(),
                        mean,
                        times[FRAMES * 95 / 100] / 1e6,
                        1000 / mean,
                        (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e6 / FRAMES);
            }
        }
    }

    /** A training run of so many steps. */
    private record Generated(int steps) implements RecordingFiles {
        @Override
        public Recording open(String path, OpenRequest request) throws IOException {
            return example();
        }

        @Override
        public Recording example() throws IOException {
            return TraceHistory.read(FakeTraceFiles.training(steps).open(), "generated", "trace-text", false);
        }
    }
}
