package dev.lacuna.bridge.hosted;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import java.nio.file.Path;

/**
 * The C ABI of {@code native/include/lacuna.h}, bound directly: an argument that is a pointer there is a {@code long}
 * here, because these calls run millions of times. Names are C's.
 */
final class NativeAgent {
    private static boolean bound;

    private NativeAgent() {}

    /**
     * Loads and binds the library, once per virtual machine.
     *
     * @throws BridgeException SYSTEM when it cannot be loaded or lacks a function
     */
    static synchronized void bind() throws BridgeException {
        if (!bound) {
            Path library = AgentPackage.unpack().library();
            try {
                Native.register(NativeAgent.class, NativeLibrary.getInstance(library.toString()));
            } catch (UnsatisfiedLinkError e) {
                throw new BridgeException(Reason.SYSTEM, library + " could not be loaded: " + e.getMessage(), e);
            }
            bound = true;
        }
    }

    static native int lacuna_open(Pointer options, Pointer out);

    static native void lacuna_close(long agent);

    static native int lacuna_malloc(long agent, long size, long stream, long out);

    static native int lacuna_free(long agent, long block);

    static native int lacuna_record_stream(long agent, long block, long stream);

    static native int lacuna_stream_done(long agent, long stream);

    static native int lacuna_phase(long agent, int phase, int begin);

    static native int lacuna_empty_cache(long agent);

    static native int lacuna_set_optimisation(long agent, int on, Pointer out);

    static native int lacuna_set_fraction(long agent, double fraction, int force, Pointer out);

    static native int lacuna_counters(long agent, Pointer out);

    static native int lacuna_place(long agent, long block, Pointer out);

    static native long lacuna_last_oom(long agent, Pointer text, long bytes);

    static native int lacuna_replay(long agent, Pointer commands, long count, int ids, Pointer out);

    /** Of {@code lacuna_swap_owner}: cookies of 64 bits each. */
    interface LetGo extends Callback {
        void invoke(Pointer cookies, int count);
    }

    static native int lacuna_swap_set(long agent, int mode, long budgetBytes);

    static native int lacuna_swap_mode(long agent);

    static native int lacuna_swap_layer(long agent, Pointer name, Pointer out);

    static native int lacuna_swap_usage(long agent, int layer, Pointer out);

    static native int lacuna_swap_owner(long agent, LetGo letGo);

    static native int lacuna_swap_enter(long agent, Pointer entry, Pointer out);

    static native int lacuna_swap_allow(long agent, long pass);

    static native int lacuna_swap_out(long agent, long entry, long stream);

    static native int lacuna_swap_where(long agent, long entry);

    static native int lacuna_swap_let_go(long agent, long entry);

    static native int lacuna_swap_in(long agent, long entry, long block, long stream);

    static native int lacuna_swap_wait(long agent, long entry, long stream);

    static native int lacuna_swap_leave(long agent, long entry);

    static native Pointer lacuna_layout();

    static native String lacuna_version();
}
