package dev.lacuna.ui.window;

import dev.lacuna.bridge.TrainingProcess;
import dev.lacuna.ui.parts.CommandName;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.text.Texts;
import java.io.File;
import java.util.Optional;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;

/** What the window is called: the file or the process that the place in front shows, then the program; a task bar cuts off the end. */
final class WindowTitle {
    private static final Texts TEXTS = Texts.of("shell");

    private final Session session;
    private final ReadOnlyStringWrapper title = new ReadOnlyStringWrapper("");
    private final ChangeListener<String> renamed = (property, before, now) -> tell();
    private Optional<ObservableValue<String>> source = Optional.empty();

    WindowTitle(Session session) {
        this.session = session;
        session.attachedProperty().addListener((property, before, now) -> tell());
        Texts.wordingProperty().addListener((property, before, now) -> tell());
        tell();
    }

    /** The title of now. */
    ReadOnlyStringProperty property() {
        return title.getReadOnlyProperty();
    }

    /** This place is in front from now on. */
    void follow(Place front) {
        source.ifPresent(followed -> followed.removeListener(renamed));
        source = Optional.of(front.source());
        source.get().addListener(renamed);
        tell();
    }

    private void tell() {
        String shown =
                source.map(ObservableValue::getValue).map(WindowTitle::fileName).orElse("");
        String subject = shown.isEmpty()
                ? session.attachedProperty().get().map(WindowTitle::named).orElse("")
                : shown;
        title.set(subject.isEmpty() ? TEXTS.get("window.title") : TEXTS.get("window.title.of", subject));
    }

    private static String fileName(String words) {
        File file = new File(words);
        return file.isAbsolute() ? file.getName() : words;
    }

    private static String named(TrainingProcess process) {
        return TEXTS.get(
                "window.process",
                CommandName.of(process.command()),
                process.id().toString());
    }
}
