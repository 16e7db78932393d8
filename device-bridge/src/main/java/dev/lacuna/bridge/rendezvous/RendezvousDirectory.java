package dev.lacuna.bridge.rendezvous;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The directory that agents and readers of one user share: mode 0700, owned by that user, no symbolic link. */
final class RendezvousDirectory {
    private static final int GROUP_AND_OTHERS = 0077;
    private static final int FILE_TYPE = 0170000;
    private static final int SOCKET_TYPE = 0140000;

    private final Path path;
    private final int uid;

    RendezvousDirectory(Path path, int uid) {
        this.path = path.toAbsolutePath();
        this.uid = uid;
    }

    /**
     * Where agents of this user put their files: {@code $LACUNA_DIR}, else {@code $XDG_RUNTIME_DIR/lacuna}, else
     * {@code /tmp/lacuna-$UID}. An empty variable counts as unset.
     */
    static Path standard(Map<String, String> environment, int uid) {
        String own = environment.getOrDefault("LACUNA_DIR", "");
        if (!own.isEmpty()) {
            return Path.of(own);
        }
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isEmpty()) {
            return Path.of(runtime, "lacuna");
        }
        return Path.of("/tmp", "lacuna-" + Integer.toUnsignedString(uid));
    }

    Path path() {
        return path;
    }

    /**
     * Whether it is there and to be trusted.
     *
     * @return false when it is not there: no agent has ever run
     * @throws BridgeException NOT_PERMITTED when it could have been planted or be read by others
     */
    boolean usable() throws BridgeException {
        Map<String, Object> facts;
        try {
            facts = Files.readAttributes(path, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw system(e);
        }
        if (!Boolean.TRUE.equals(facts.get("isDirectory"))) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED, path + " is no directory (a symbolic link is not accepted)");
        }
        if ((int) facts.get("uid") != uid) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED, path + " belongs to user " + facts.get("uid") + ", not to you (" + uid + ")");
        }
        if (((int) facts.get("mode") & GROUP_AND_OTHERS) != 0) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED, path + " is open to other users; make it private with: chmod 700 " + path);
        }
        return true;
    }

    /** Makes it, private, where it is not there; what is there must be to be trusted. */
    void prepare() throws BridgeException {
        if (!usable()) {
            try {
                Files.createDirectories(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (IOException e) {
                throw system(e);
            }
            usable();
        }
    }

    /** Every file of an agent whose name ends so; none when the directory is not there. */
    List<AgentFiles> files(String suffix) throws BridgeException {
        List<AgentFiles> found = new ArrayList<>();
        if (!usable()) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, "*" + suffix)) {
            for (Path entry : entries) {
                AgentFiles.of(entry).ifPresent(found::add);
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | DirectoryIteratorException e) {
            throw system(e);
        }
        return found;
    }

    /** Whether a control socket of the same user is there. */
    boolean isOwnSocket(Path socket) {
        try {
            Map<String, Object> facts = Files.readAttributes(socket, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
            return (int) facts.get("uid") == uid && ((int) facts.get("mode") & FILE_TYPE) == SOCKET_TYPE;
        } catch (IOException e) {
            return false;
        }
    }

    private BridgeException system(Exception e) {
        return new BridgeException(Reason.SYSTEM, path + " could not be read: " + e.getMessage(), e);
    }
}
