package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where a process says that what was left with it could not begin: a symbolic link whose target is a word and a sentence, which a
 * folder takes that has no room for a file any more.
 *
 * @param meeting the folder that it was to write to, as it names that
 * @param link as the process names it; empty where it has no folder for one
 * @param here as this program reaches it
 */
record LastWord(Path meeting, Optional<Path> link, Path here) {
    private static final List<Path> OTHER_FOLDERS = List.of(Path.of("/tmp"), Path.of("/dev/shm"), Path.of("/var/tmp"));

    /** The characters that the native library takes. */
    private static final Pattern PLAIN = Pattern.compile("/[\\x20-\\x7e&&[^'\"\\\\]]{0,440}");

    private static final Pattern SAID = Pattern.compile("(\\S+) (.*)", Pattern.DOTALL);
    private static final String NO_THREAD = "start new thread"; // as Python says it

    /**
     * Of a process, before it is touched: what an earlier one left is removed.
     *
     * @param process its folder in {@code /proc}
     * @param name what no other process of any time has
     */
    static LastWord of(Path process, Path meeting, String name) {
        Path root = process.resolve("root");
        Optional<Path> link = Stream.concat(Stream.of(meeting), OTHER_FOLDERS.stream())
                .filter(folder -> PLAIN.matcher(folder.toString()).matches() && Files.isWritable(below(root, folder)))
                .findFirst()
                .map(folder -> folder.resolve("lacuna-graft-" + name + ".refused"));
        LastWord word = new LastWord(meeting, link, below(root, link.orElse(Path.of("/"))));
        word.remove();
        return word;
    }

    /** Why it could not begin, where it has said so; that is removed. */
    Optional<Obstacle> read(int uid) {
        try {
            if (link.isEmpty()
                    || !Files.isSymbolicLink(here)
                    || !Files.getAttribute(here, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(uid)) {
                return Optional.empty();
            }
            String said = Files.readSymbolicLink(here).toString();
            remove();
            return Optional.of(obstacle(said));
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
    }

    private Obstacle obstacle(String said) {
        var parts = SAID.matcher(said);
        String word = parts.matches() ? parts.group(1) : said;
        String sentence = (parts.matches() ? parts.group(2) : said).replaceAll("[^ -~]", "?");
        if (word.equals("EAGAIN") || sentence.contains(NO_THREAD)) {
            return Obstacle.of(Kind.NO_THREAD);
        }
        return switch (word) {
            case "ENOSPC", "EDQUOT" -> Obstacle.of(Kind.NO_SPACE, meeting);
            case "EPERM", "EACCES", "EROFS" -> Obstacle.of(Kind.FORBIDDEN, sentence);
            default -> Obstacle.of(Kind.UNABLE, sentence);
        };
    }

    private void remove() {
        try {
            if (link.isPresent()) {
                Files.deleteIfExists(here);
            }
        } catch (IOException notOurs) {
            // Somebody else's of that name is not read either.
        }
    }

    private static Path below(Path root, Path path) {
        return root.resolve(Path.of("/").relativize(path.toAbsolutePath()));
    }
}
