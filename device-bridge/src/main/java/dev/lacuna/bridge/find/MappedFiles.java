package dev.lacuna.bridge.find;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the files that a process has mapped tell: {@code /proc/PID/maps}.
 *
 * @param frameworks a folder of the package of each framework, or the library where the package's own folder is not mapped
 * @param python {@code 3.11}, where a mapped file's name tells
 * @param isPython whether an interpreter is mapped
 * @param carriesAgent whether Lacuna's own library is mapped
 * @param driver {@code cuda} or {@code npu}, where such a driver is mapped
 */
record MappedFiles(
        Map<FrameworkKind, List<String>> frameworks,
        Optional<String> python,
        boolean isPython,
        boolean carriesAgent,
        Optional<String> driver) {
    private static final Pattern PYTHON = Pattern.compile("(?:cpython-|/(?:lib)?python)(3)\\.?(\\d{1,2})\\b");
    private static final String DELETED = " (deleted)";

    /** Few places are enough to find a version in. */
    private static final int MOST_PLACES = 4;

    /** Reads the whole text. What has no framework in it is known by a few searches, whatever its length. */
    static MappedFiles of(String maps) {
        Map<FrameworkKind, List<String>> found = new EnumMap<>(FrameworkKind.class);
        for (FrameworkKind kind : FrameworkKind.values()) {
            if (kind.isIn(maps)) {
                found.put(kind, new ArrayList<>());
            }
        }
        boolean isPython = maps.contains("ython3") || maps.contains("cpython-3");
        if (found.isEmpty()) {
            return new MappedFiles(found, python(maps), isPython, false, Optional.empty());
        }
        maps.lines().forEach(line -> sort(path(line), found));
        return new MappedFiles(found, python(maps), isPython, maps.contains("/liblacuna_torch.so"), driver(maps));
    }

    private static void sort(String path, Map<FrameworkKind, List<String>> found) {
        found.forEach((kind, places) -> {
            if (places.size() < MOST_PLACES && (kind.isIn(path) || path.contains("/" + kind.packageName() + "/"))) {
                String place = folder(path, kind.packageName());
                if (!places.contains(place)) {
                    places.add(place);
                }
            }
        });
    }

    /** {@code …/torch} of {@code …/torch/lib/libtorch_cpu.so}; the folder of a library that lies elsewhere. */
    private static String folder(String path, String packageName) {
        int at = path.indexOf("/" + packageName + "/");
        return at >= 0 ? path.substring(0, at + packageName.length() + 1) : path.substring(0, path.lastIndexOf('/'));
    }

    private static String path(String line) {
        int slash = line.indexOf('/');
        String path = slash < 0 ? "" : line.substring(slash);
        return path.endsWith(DELETED) ? path.substring(0, path.length() - DELETED.length()) : path;
    }

    private static Optional<String> python(String maps) {
        Matcher version = PYTHON.matcher(maps);
        return version.find() ? Optional.of(version.group(1) + "." + version.group(2)) : Optional.empty();
    }

    private static Optional<String> driver(String maps) {
        if (maps.contains("/libascendcl.so") || maps.contains("/dev/davinci")) {
            return Optional.of("npu");
        }
        return maps.contains("/libcuda.so") || maps.contains("/dev/nvidia") ? Optional.of("cuda") : Optional.empty();
    }
}
