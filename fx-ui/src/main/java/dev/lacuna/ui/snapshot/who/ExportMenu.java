package dev.lacuna.ui.snapshot.who;

import dev.lacuna.core.history.DeviceHistory;
import dev.lacuna.core.history.LoadRange;
import dev.lacuna.core.history.Recording;
import dev.lacuna.core.history.Timeline;
import dev.lacuna.core.history.report.HtmlReport;
import dev.lacuna.core.history.report.Redaction;
import dev.lacuna.core.history.report.ReportContents;
import dev.lacuna.core.history.report.ReportTables;
import dev.lacuna.core.history.report.ReportTexts;
import dev.lacuna.core.history.report.TableText;
import dev.lacuna.core.history.who.SizeHistogram;
import dev.lacuna.core.history.who.StackBytes;
import dev.lacuna.ui.shell.WindowContext;
import dev.lacuna.ui.snapshot.EventRange;
import dev.lacuna.ui.snapshot.SnapshotViewModel;
import dev.lacuna.ui.task.BackgroundTask;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;
import javafx.scene.layout.Region;
import javafx.stage.FileChooser;
import org.kordamp.ikonli.javafx.FontIcon;

/** What leaves the place: a report, with names or without, a picture, and tables. Asks where to, and works off the UI thread. */
public final class ExportMenu extends MenuButton {
    private static final Texts TEXTS = Texts.of("who");

    /** Stacks in a file for programs: all that any recording has. */
    private static final int ALL_ROWS = Integer.MAX_VALUE;

    /** Moments in a file of curves: what a spreadsheet still opens. */
    private static final int MOST_MOMENTS = 100_000;

    private final SnapshotViewModel model;
    private final ExportFiles files;
    private final WindowContext context;

    public ExportMenu(SnapshotViewModel model, ExportFiles files, WindowContext context) {
        this.model = model;
        this.files = files;
        this.context = context;
        setId("who-export");
        setGraphic(new FontIcon("fth-share"));
        textProperty().bind(TEXTS.bind("export"));
        setMinWidth(Region.USE_PREF_SIZE);
        visibleProperty().bind(model.stateProperty().isEqualTo(SnapshotViewModel.State.SHOWN));
        managedProperty().bind(visibleProperty());
        getItems()
                .addAll(
                        item("export.report", ".html", () -> report(Redaction.NONE)),
                        item("export.redacted", ".html", () -> report(redaction())),
                        item("export.picture", ".png", this::picture),
                        new SeparatorMenuItem(),
                        item("export.stacks", ".csv", this::stacks),
                        item("export.sizes", ".csv", this::sizes),
                        item("export.series", ".csv", this::series));
    }

    /** Writes one of the exports to a path; for the menu, and for tests that cannot answer a file dialog. */
    void write(String path, Callable<byte[]> content) {
        context.executor()
                .execute(BackgroundTask.of(() -> {
                            files.write(path, content.call());
                            return path;
                        })
                        .onSuccess(written -> context.notices().inform(TEXTS.get("export.done", written)))
                        .onFailure(why -> context.notices().fault(TEXTS.get("export.failed"), why)));
    }

    /** The report of what is open. */
    Callable<byte[]> report(Redaction redaction) {
        Recording recording = model.recordingProperty().get().orElseThrow();
        EventRange range = model.focus().rangeProperty().get();
        Optional<LoadRange.Events> part = model.focus().hasRange()
                ? Optional.of(new LoadRange.Events(range.from(), range.to()))
                : Optional.empty();
        Locale locale = Texts.locale();
        String program = files.program();
        return () -> bytes(HtmlReport.of(new ReportContents(recording, part, program, locale, redaction)));
    }

    private static Redaction redaction() {
        return Redaction.salted(UUID.randomUUID().toString());
    }

    private Callable<byte[]> stacks() {
        DeviceHistory history = history();
        int moment = moment();
        ReportTexts texts = new ReportTexts(Texts.locale());
        return () -> bytes(TableText.csv(
                ReportTables.stacks(history, StackBytes.at(history, moment), ALL_ROWS, texts, Redaction.NONE)));
    }

    private Callable<byte[]> sizes() {
        DeviceHistory history = history();
        int moment = moment();
        ReportTexts texts = new ReportTexts(Texts.locale());
        var lifetimes = FollowedDevice.lifetimes(model, history);
        return () -> bytes(TableText.csv(ReportTables.sizes(SizeHistogram.at(history, lifetimes, moment), texts)));
    }

    private Callable<byte[]> series() {
        DeviceHistory history = history();
        return () -> bytes(TableText.csv(ReportTables.series(Timeline.of(history), MOST_MOMENTS)));
    }

    /** Taken at once, on the UI thread; packed off it. */
    private Callable<byte[]> picture() {
        WritableImage image = getScene().getRoot().snapshot(null, null);
        int width = (int) image.getWidth();
        int height = (int) image.getHeight();
        int[] argb = new int[width * height];
        image.getPixelReader().getPixels(0, 0, width, height, PixelFormat.getIntArgbInstance(), argb, 0, width);
        return () -> files.png(width, height, argb);
    }

    private DeviceHistory history() {
        return model.deviceProperty().get().orElseThrow();
    }

    private int moment() {
        return model.focus().momentProperty().get();
    }

    private MenuItem item(String key, String ending, Supplier<Callable<byte[]>> content) {
        MenuItem item = new MenuItem();
        item.setId("who-" + key.replace('.', '-'));
        item.textProperty().bind(TEXTS.bind(key));
        item.setOnAction(e -> {
            Callable<byte[]> wanted = content.get();
            FileChooser chooser = new FileChooser();
            chooser.setTitle(item.getText());
            chooser.setInitialFileName("lacuna-" + key.substring(key.indexOf('.') + 1) + ending);
            Optional.ofNullable(chooser.showSaveDialog(getScene().getWindow()))
                    .map(File::getAbsolutePath)
                    .ifPresent(path -> write(path, wanted));
        });
        return item;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
