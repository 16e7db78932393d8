package dev.lacuna.ui.text;

import dev.lacuna.core.base.ProgramName;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javafx.beans.Observable;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.StringBinding;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;

/**
 * One bundle of texts, in the language that is chosen for the whole window. A bundle {@code live} is the file
 * {@code live.properties} (English) and {@code live_zh_CN.properties} beside this class, both UTF-8.
 *
 * <p>Patterns are those of {@link MessageFormat}; a text without arguments is taken as it stands. Write ’ for an
 * apostrophe: the straight one is MessageFormat's quote. Commands of this program are written {@code @lacuna@ ps}
 * ({@link ProgramName}).
 */
public final class Texts {
    private static final Map<String, Texts> BUNDLES = new ConcurrentHashMap<>();
    private static volatile Followed followed = new Followed(Language.SYSTEM, ByteUnit.FITTING);

    /** What is chosen for the whole window, apart and together. */
    private static final class Followed {
        private final ObjectProperty<Language> language;
        private final ObjectProperty<ByteUnit> unit;
        private final ReadOnlyObjectWrapper<Wording> wording;

        Followed(Language first, ByteUnit firstUnit) {
            language = new SimpleObjectProperty<>(first);
            unit = new SimpleObjectProperty<>(firstUnit);
            wording = new ReadOnlyObjectWrapper<>(new Wording(first, firstUnit));
            // Change listeners: who follows hears of every change, read or not.
            language.addListener((property, before, now) -> wording.set(new Wording(now, unit.get())));
            unit.addListener((property, before, now) -> wording.set(new Wording(language.get(), now)));
        }
    }

    private final String bundle;
    private final Properties english;
    private final Properties chinese;

    private Texts(String bundle) {
        this.bundle = bundle;
        this.english = read(bundle + ".properties");
        this.chinese = read(bundle + "_zh_CN.properties");
    }

    /**
     * The bundle of this name.
     *
     * @throws UncheckedIOException if the bundle is not in the program
     */
    public static Texts of(String bundle) {
        return BUNDLES.computeIfAbsent(bundle, Texts::new);
    }

    /** The language of all texts; changed on the UI thread, and every binding follows. */
    public static ObjectProperty<Language> languageProperty() {
        return followed.language;
    }

    /** The unit of all bytes; changed on the UI thread. */
    public static ObjectProperty<ByteUnit> unitProperty() {
        return followed.unit;
    }

    /** Language and unit together: what shows texts or bytes listens to this. */
    public static ReadOnlyObjectProperty<Wording> wordingProperty() {
        return followed.wording.getReadOnlyProperty();
    }

    /**
     * Ends what follows the language, with the window that it belonged to. The texts outlive every window: without this a closed one would
     * be kept, and would go on answering to changes that are no longer its own, on whatever thread they are made.
     *
     * @param language what {@link #languageProperty} was to that window; nothing happens when another window took its place
     */
    public static void letGo(ObjectProperty<Language> language) {
        Followed ending = followed;
        if (ending.language == language) {
            ending.language.unbind();
            ending.unit.unbind();
            followed = new Followed(ending.language.get(), ending.unit.get());
        }
    }

    /** The locale that texts are now read in; numbers and dates are written in it too. */
    public static Locale locale() {
        return followed.wording.get().language().locale();
    }

    static ByteUnit unit() {
        return followed.wording.get().unit();
    }

    /** The text of this key in the language of now. */
    public String get(String key, Object... args) {
        String pattern = pattern(key, locale());
        return ProgramName.in(args.length == 0 ? pattern : new MessageFormat(pattern, locale()).format(args));
    }

    /** The text of this key, following the language and every argument that is an {@link ObservableValue}. */
    public StringBinding bind(String key, Object... args) {
        List<Observable> listened = new ArrayList<>();
        listened.add(wordingProperty());
        for (Object arg : args) {
            if (arg instanceof ObservableValue<?> value) {
                listened.add(value);
            }
        }
        return Bindings.createStringBinding(() -> get(key, values(args)), listened.toArray(Observable[]::new));
    }

    /** Whether the bundle has this key. */
    public boolean has(String key) {
        return english.containsKey(key);
    }

    /** Every key, sorted. */
    public Set<String> keys() {
        return new TreeSet<>(english.stringPropertyNames());
    }

    private static Object[] values(Object... args) {
        Object[] values = new Object[args.length];
        for (int i = 0; i < args.length; i++) {
            values[i] = args[i] instanceof ObservableValue<?> value ? value.getValue() : args[i];
        }
        return values;
    }

    /** A key that nobody wrote shows itself: a fault that is seen beats a window that does not open. */
    private String pattern(String key, Locale locale) {
        Properties chosen = locale.equals(Locale.SIMPLIFIED_CHINESE) ? chinese : english;
        String pattern = chosen.getProperty(key);
        return pattern != null ? pattern : english.getProperty(key, "‹" + bundle + "." + key + "›");
    }

    private static Properties read(String name) {
        try (InputStream in = Texts.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("no bundle " + name + " beside " + Texts.class.getName());
            }
            Properties texts = new Properties();
            texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return texts;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
