package dev.lacuna.bridge.kernel;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The kernel's message buffer, as {@code klogctl} gives it: reading it consumes nothing and waits for nothing. */
public final class KernelMessages {
    private static final int READ_ALL = 3;
    private static final int SIZE = 10;
    private static final int MOST_BYTES = 16 << 20;

    private KernelMessages() {}

    /** All of it, each line with its level and time; empty: this user may not read it, or there is no such call. */
    public static Optional<String> read() {
        try {
            NativeLibrary libc = NativeLibrary.getInstance("c");
            int size = libc.getFunction("klogctl").invokeInt(new Object[] {SIZE, null, 0});
            return size <= 0 || size > MOST_BYTES ? Optional.empty() : read(libc, size);
        } catch (UnsatisfiedLinkError e) {
            // Another C library: its log stays unread, which readers take for a silent one.
            return Optional.empty();
        }
    }

    private static Optional<String> read(NativeLibrary libc, int size) {
        try (Memory buffer = new Memory(size)) {
            int got = libc.getFunction("klogctl").invokeInt(new Object[] {READ_ALL, buffer, size});
            return got <= 0
                    ? Optional.empty()
                    : Optional.of(new String(buffer.getByteArray(0, got), StandardCharsets.ISO_8859_1));
        }
    }
}
