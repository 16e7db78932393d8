package dev.lacuna.ui.parts;

import java.util.concurrent.Callable;
import java.util.function.Function;
import javafx.event.Event;
import javafx.event.EventType;

/** Asks the window in which it is fired to save something: it asks where to, writes, and tells. */
public final class SaveRequest extends Event {
    /** Of every such request. */
    public static final EventType<SaveRequest> SAVE = new EventType<>(Event.ANY, "LACUNA_SAVE");

    private static final long serialVersionUID = 1;

    private final String title;
    private final String name;
    private final transient Function<ExportFiles, Callable<byte[]>> content;

    /**
     * @param title of the question
     * @param name of the file, unless another is chosen
     * @param content what is saved; worked out off the UI thread
     */
    public SaveRequest(String title, String name, Function<ExportFiles, Callable<byte[]>> content) {
        super(SAVE);
        this.title = title;
        this.name = name;
        this.content = content;
    }

    /** Of the question. */
    public String title() {
        return title;
    }

    /** What the file is called unless another name is chosen. */
    public String name() {
        return name;
    }

    /** What is saved. */
    public Callable<byte[]> content(ExportFiles files) {
        return content.apply(files);
    }
}
