package dev.lacuna.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that say where things are name only what is there. */
class HouseMapTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern DRAWING = Pattern.compile("(?s)^```.*?^```$", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern PLACE = Pattern.compile("(?:[\\w.…-]+/)*[\\w.-]+");
    private static final Pattern TYPE = Pattern.compile("((?:[\\w…-]+/)*[A-Z][a-z]\\w+)(\\.[a-z]\\w*)?");
    private static final Pattern FILE = Pattern.compile("[\\w…/-]+\\.(c|cpp|h|py|md|sh)");
    private static final Pattern ELIDED = Pattern.compile("^.*…/");

    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "docs/glossary.md", "docs/decisions/0001-floors.md"})
    void what_is_named_exists(String page) throws IOException {
        List<String> paths = paths();
        List<String> missing = new ArrayList<>();
        Matcher quoted = QUOTED.matcher(
                DRAWING.matcher(Files.readString(ROOT.resolve(page))).replaceAll(""));
        int named = 0;
        while (quoted.find()) {
            String name = quoted.group(1);
            boolean place = name.contains("/")
                    || TYPE.matcher(name).matches()
                    || FILE.matcher(name).matches();
            if (!place || !PLACE.matcher(name).matches()) {
                continue;
            }
            named++;
            if (!exists(name, paths)) {
                missing.add(name);
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).as("names looked up").isGreaterThan(3);
    }

    private static boolean exists(String name, List<String> paths) {
        String place = ELIDED.matcher(name).replaceFirst("");
        Matcher type = TYPE.matcher(place);
        String wanted = type.matches() ? type.group(1) + ".java" : place;
        return paths.stream().anyMatch(path -> path.equals(wanted) || path.endsWith("/" + wanted));
    }

    /** Files and folders of the sources and pages. */
    private static List<String> paths() throws IOException {
        List<String> all = new ArrayList<>();
        for (String room : List.of(
                "allocator-core/src", "device-bridge/src", "fx-ui/src", "app/src", "native", "docs", "scripts")) {
            try (Stream<Path> below = Files.walk(ROOT.resolve(room))) {
                below.map(path -> ROOT.relativize(path).toString()).forEach(all::add);
            }
        }
        return all;
    }
}
