package dev.lacuna.app.demo;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The training scripts in this program's jar, as files that Python can run. */
public final class TrainingScripts {
    private TrainingScripts() {}

    /** Unpacks a script into a new temporary folder of its own. */
    public static Path unpack(String name) throws BridgeException {
        try {
            return unpack(name, Files.createTempDirectory("lacuna-demo-"));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Unpacks a script into this folder. */
    public static Path unpack(String name, Path folder) throws BridgeException {
        try (InputStream script = TrainingScripts.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new BridgeException(Reason.SYSTEM, "this program was built without its demo " + name);
            }
            Path file = folder.resolve(name);
            Files.copy(script, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static BridgeException failed(IOException e) {
        return new BridgeException(Reason.SYSTEM, "the demo could not be unpacked: " + e, e);
    }
}
