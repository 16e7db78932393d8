package dev.lacuna.bridge.wire;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Opens files that others might have planted: only a regular file of the expected owner, never through a symbolic link. */
final class TrustedFile {
    private static final String FACTS = "unix:uid,fileKey,isRegularFile,isSymbolicLink";

    private TrustedFile() {}

    /**
     * Opens a file for reading.
     *
     * @throws BridgeException GONE when it is not there, NOT_PERMITTED when it is not to be trusted, SYSTEM
     */
    static FileChannel open(Path path, int uid) throws BridgeException {
        FileChannel channel = null;
        try {
            Object key = check(path, uid);
            channel = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            // The name may have been given to another file between the check and the opening.
            if (!Objects.equals(key, check(path, uid))) {
                throw new BridgeException(Reason.NOT_PERMITTED, path + " was replaced while it was opened");
            }
            FileChannel opened = channel;
            channel = null;
            return opened;
        } catch (NoSuchFileException e) {
            throw new BridgeException(Reason.GONE, path + " is not there any more", e);
        } catch (AccessDeniedException e) {
            throw new BridgeException(Reason.NOT_PERMITTED, path + " may not be read", e);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, path + " could not be opened: " + e.getMessage(), e);
        } finally {
            closeQuietly(channel);
        }
    }

    /**
     * Opens a file for asking its size only: unlike a channel's, this handle survives the interruption of a thread that
     * uses it.
     *
     * @throws BridgeException as {@link #open}
     */
    static RandomAccessFile openForSize(Path path, int uid) throws BridgeException {
        try {
            check(path, uid);
            return new RandomAccessFile(path.toFile(), "r");
        } catch (NoSuchFileException | FileNotFoundException e) {
            throw new BridgeException(Reason.GONE, path + " is not there any more", e);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, path + " could not be opened: " + e.getMessage(), e);
        }
    }

    /** What tells the file of this name now from every other; empty when there is none. */
    static Optional<Object> identity(Path path) {
        try {
            return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Object check(Path path, int uid) throws IOException, BridgeException {
        Map<String, Object> facts = Files.readAttributes(path, FACTS, LinkOption.NOFOLLOW_LINKS);
        if (Boolean.TRUE.equals(facts.get("isSymbolicLink"))) {
            throw new BridgeException(Reason.NOT_PERMITTED, path + " is a symbolic link; telemetry files never are");
        }
        if (!Boolean.TRUE.equals(facts.get("isRegularFile"))) {
            throw new BridgeException(Reason.NOT_PERMITTED, path + " is no regular file");
        }
        if (!Objects.equals(facts.get("uid"), uid)) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED, path + " belongs to user " + facts.get("uid") + ", not to you (" + uid + ")");
        }
        return facts.get("fileKey");
    }

    private static void closeQuietly(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // Nothing was written and the reason of the failure is already on its way.
            }
        }
    }
}
