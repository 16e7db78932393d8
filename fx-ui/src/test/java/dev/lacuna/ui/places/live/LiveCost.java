package dev.lacuna.ui.places.live;

import dev.lacuna.ui.settings.ThemeChoice;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javafx.application.Application;
import javafx.application.Platform;
import javafx.stage.Stage;

/**
 * Not a test: opens the live place on generated training at 30 samples a second, lets it warm up, and prints how much of
 * one core the whole program takes. Arguments: seconds to measure, minutes of past, optionally a picture to save.
 */
public final class LiveCost {
    private static final AtomicLong SAMPLES = new AtomicLong();

    private LiveCost() {}

    public static void main(String... args) {
        Application.launch(Measured.class, args);
    }

    /** The program that is measured. */
    public static final class Measured extends Application {
        @Override
        public void start(Stage stage) {
            List<String> args = getParameters().getRaw();
            long seconds = args.isEmpty() ? 20 : Long.parseLong(args.get(0));
            GeneratedTraining training = new GeneratedTraining();
            LiveWindow window = new LiveWindow(stage, training, ThemeChoice.DARK);
            window.session.addSampleListener(sample -> SAMPLES.incrementAndGet());
            window.session.attach(training.process());
            Thread clock = new Thread(() -> measure(window, seconds, args), "cost");
            clock.setDaemon(true);
            clock.start();
        }

        private static void measure(LiveWindow window, long seconds, List<String> args) {
            var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            try {
                Thread.sleep(Duration.ofSeconds(15).toMillis());
                for (int round = 0; round < 3; round++) {
                    long samples = SAMPLES.get();
                    long cpu = os.getProcessCpuTime();
                    long wall = System.nanoTime();
                    Thread.sleep(Duration.ofSeconds(seconds).toMillis());
                    double cores = (double) (os.getProcessCpuTime() - cpu) / (System.nanoTime() - wall);
                    double rate = (double) (SAMPLES.get() - samples) / seconds;
                    System.out.printf("%.3f cores over %d s at %.1f samples a second%n", cores, seconds, rate);
                }
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
            Platform.runLater(() -> {
                if (args.size() > 1) {
                    try {
                        window.shoot(new File(args.get(1)));
                    } catch (java.io.IOException unwritable) {
                        throw new java.io.UncheckedIOException(unwritable);
                    }
                }
                window.close();
                Platform.exit();
            });
        }
    }
}
