package dev.lacuna.bridge.hosted;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.process.LinuxProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/**
 * The agent as files: both native libraries and the Python package, unpacked from this program's jar into the user's
 * cache, one folder per content. A file that is there already is compared and replaced if it differs; every file appears
 * whole or not at all, so that several programs may unpack at once.
 */
public final class AgentPackage {
    private static final String LIBRARIES = "linux-x86_64";
    private static final int GROUP_OR_OTHERS_WRITE = 0022;
    private static final int NAME_BYTES = 6;

    private final Path root;

    private AgentPackage(Path root) {
        this.root = root;
    }

    /**
     * Unpacks into the user's cache: {@code $XDG_CACHE_HOME/lacuna}, else {@code ~/.cache/lacuna}, else (where that path
     * holds a blank or a colon, which {@code LD_PRELOAD} takes for separators) {@code /tmp/lacuna-cache-$UID}.
     *
     * @throws BridgeException SYSTEM when it cannot be written, NOT_PERMITTED when others could change it
     */
    public static AgentPackage unpack() throws BridgeException {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        boolean separators = base.toString().matches(".*[ :].*");
        return unpack(
                separators ? Path.of("/tmp/lacuna-cache-" + new LinuxProcesses().ownUid()) : base.resolve("lacuna"));
    }

    /** Unpacks under this folder, which is made if it is not there. */
    public static AgentPackage unpack(Path cache) throws BridgeException {
        try {
            Map<String, byte[]> contents = JarContents.under("/native");
            if (!contents.containsKey(LIBRARIES + "/liblacuna.so")) {
                throw new BridgeException(Reason.SYSTEM, "this program was built without its native library");
            }
            Files.createDirectories(
                    cache, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            requirePrivate(cache);
            Path root = cache.resolve("agent-" + digest(contents));
            for (Map.Entry<String, byte[]> file : contents.entrySet()) {
                place(root.resolve(file.getKey()), file.getValue());
            }
            return new AgentPackage(root);
        } catch (IOException e) {
            throw new BridgeException(Reason.SYSTEM, "the agent could not be unpacked into " + cache + ": " + e, e);
        }
    }

    /** The allocator without anything that a trainer needs: the one that this virtual machine loads. */
    public Path library() {
        return root.resolve(LIBRARIES).resolve("liblacuna.so");
    }

    /** The library that a PyTorch process preloads. */
    public Path torchLibrary() {
        return root.resolve(LIBRARIES).resolve("liblacuna_torch.so");
    }

    /** The library that attaches to processes that were not prepared. */
    public Path graftLibrary() {
        return root.resolve(LIBRARIES).resolve("liblacuna_graft.so");
    }

    /** The folder of what it has them run. */
    public Path residentText() {
        return pythonPath().resolve("lacuna").resolve("graft").resolve("resident");
    }

    /** The folder whose {@code sitecustomize} marks phases in any Python; goes first on {@code PYTHONPATH}. */
    public Path pythonHook() {
        return pythonPath().resolve("lacuna").resolve("hook");
    }

    /** The folder that holds the Python package {@code lacuna}; belongs on {@code PYTHONPATH}. */
    public Path pythonPath() {
        return root.resolve("python");
    }

    /** Code is loaded from here: nobody else may be able to put any. */
    private static void requirePrivate(Path folder) throws IOException, BridgeException {
        Map<String, Object> facts = Files.readAttributes(folder, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        boolean own = (int) facts.get("uid") == new LinuxProcesses().ownUid();
        if (!own || ((int) facts.get("mode") & GROUP_OR_OTHERS_WRITE) != 0) {
            throw new BridgeException(
                    Reason.NOT_PERMITTED,
                    folder + " may be written by others; make it private with: chmod 700 " + folder);
        }
    }

    private static String digest(Map<String, byte[]> contents) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            contents.forEach((name, bytes) -> {
                sha.update((name + "\n" + bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
                sha.update(bytes);
            });
            return HexFormat.of().formatHex(sha.digest(), 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void place(Path file, byte[] bytes) throws IOException {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return;
        }
        Path folder = file.getParent();
        Files.createDirectories(folder);
        Path draft = Files.createTempFile(folder, ".unpacking", "");
        try {
            Files.write(draft, bytes);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
