package dev.lacuna.ui.blockmap;

import dev.lacuna.ui.settings.OwnColours;
import dev.lacuna.ui.settings.PaletteChoice;
import dev.lacuna.ui.theme.Appearance;
import dev.lacuna.ui.theme.StyleSheets;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import javafx.animation.AnimationTimer;
import javafx.application.Application;
import javafx.application.Platform;
import javafx.beans.property.SimpleObjectProperty;
import javafx.scene.Scene;
import javafx.scene.layout.StackPane;
import javafx.stage.Stage;

/**
 * Not a test: drives the real view in a window of 1600 × 900 with 100,000 blocks, panning and zooming in every arrangement, and prints
 * frames a second, mean and 95th percentile of their milliseconds and the milliseconds of processor that one takes, a row of Markdown each. Run with {@code -Djavafx.animation.fullspeed=true -Dprism.order=sw}.
 */
public final class BlockMapBench extends Application {
    private static final int BLOCKS = 100_000;
    private static final int SEGMENTS = 200;
    private static final int WARM_UP = 60;
    private static final int FRAMES = 300;
    private static final double NS_PER_MS = 1e6;

    private final BlockMapView view = new BlockMapView(new SomeWords());
    private final long[] frameNs = new long[FRAMES];
    private int arrangement;
    private int frame;
    private long lastNs;
    private long cpuNs;

    /** For {@code ./bench}. */
    public static final class Main {
        private Main() {}

        public static void main(String... args) {
            Application.launch(BlockMapBench.class, args);
        }
    }

    @Override
    public void start(Stage stage) {
        view.show(made(), IntStream.range(0, SEGMENTS).toArray());
        view.rowHeightProperty().set(18);
        Scene scene = new Scene(new StackPane(view), 1600, 900);
        StyleSheets.dress(
                scene,
                new SimpleObjectProperty<>(Appearance.DARK),
                new SimpleObjectProperty<>(PaletteChoice.STANDARD),
                new SimpleObjectProperty<>(OwnColours.NONE));
        stage.setScene(scene);
        stage.show();
        new AnimationTimer() {
            @Override
            public void handle(long now) {
                tick(now);
            }
        }.start();
    }

    private void tick(long now) {
        if (frame >= WARM_UP) {
            frameNs[frame - WARM_UP] = now - lastNs;
        }
        lastNs = now;
        if (frame == WARM_UP) {
            cpuNs = cpu();
        }
        if (++frame == WARM_UP + FRAMES) {
            report();
            frame = 0;
            if (++arrangement == Arrangement.values().length) {
                Platform.exit();
                return;
            }
            view.arrange(Arrangement.values()[arrangement]);
        }
        move();
    }

    /** Zooms in and out around a wandering point, and pans in between. */
    private void move() {
        double x = 800 + 500 * Math.sin(frame / 17.0);
        double y = 450 + 300 * Math.cos(frame / 23.0);
        view.point(x, y);
        if (frame % 4 < 2) {
            view.zoomAt(frame / 60 % 2 == 0 ? 1.06 : 1 / 1.06, x, y);
        } else {
            view.pan(14 * Math.sin(frame / 11.0), 14 * Math.cos(frame / 13.0));
        }
    }

    private void report() {
        long[] sorted = frameNs.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElse(0) / NS_PER_MS;
        System.out.printf(
                Locale.ROOT,
                "| block map, %,d blocks, %s | %.0f | %.1f | %.1f | %.1f |%n",
                BLOCKS,
                Arrangement.values()[arrangement].name().toLowerCase(Locale.ROOT),
                1000 / mean,
                mean,
                sorted[FRAMES * 95 / 100] / NS_PER_MS,
                (cpu() - cpuNs) / NS_PER_MS / FRAMES);
    }

    /** Of the whole process: what a frame costs also when others use the machine. */
    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static BlockMap made() {
        Random random = new Random(1);
        BlockMap.Builder map = new BlockMap.Builder(SEGMENTS, 2 * BLOCKS);
        int each = BLOCKS / SEGMENTS;
        long at = 1L << 40;
        for (int s = 0; s < SEGMENTS; s++) {
            long[] sizes = new long[2 * each];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = i % 2 == 0 || random.nextInt(3) == 0 ? 512L * (1 + random.nextInt(4000)) : 0;
            }
            map.segment(at, Arrays.stream(sizes).sum());
            for (int i = 0; i < sizes.length; i++) {
                PieceKind kind =
                        i % 2 == 1 ? PieceKind.HOLE : random.nextInt(20) == 0 ? PieceKind.PENDING : PieceKind.BLOCK;
                if (sizes[i] > 0) {
                    map.piece(at, sizes[i], kind, BlockTones.category(random.nextInt(8)), i);
                    at += sizes[i];
                }
            }
            at += 1 << 21;
        }
        return map.build();
    }

    /** As many words as a recording's map has. */
    private static final class SomeWords implements BlockText {
        @Override
        public List<String> segment(int segment) {
            return List.of("7f3a4000" + segment + " · 512 MiB · 93 %", "gap 12.0 MiB", "largest hole 2.0 MiB");
        }

        @Override
        public List<Fact> piece(int piece) {
            return List.of(
                    new Fact("", "Block · 2.0 MiB"),
                    new Fact("Size", "2,097,152 B"),
                    new Fact("Address", "0x" + piece));
        }

        @Override
        public String spoken() {
            return "";
        }
    }
}
