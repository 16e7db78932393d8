package dev.lacuna.core.history.attribution;

import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The one line of a stack that tells a person whose memory it is: the innermost one of the program's own Python. */
public final class TellingFrame {
    private static final Pattern LIBRARY =
            Pattern.compile("[/\\\\](?:torch|torch_npu|site-packages|dist-packages|lib[/\\\\]python[0-9.]+)[/\\\\]");

    /** The recorder itself, the allocator and containers: what every C++ stack begins with. */
    private static final Pattern PLUMBING = Pattern.compile(
            "torch::unwind|torch::CapturedTraceback|gather_with_cpp|(?:^|[ <(])(?:c10|std|at::detail|at::native::empty)");

    private TellingFrame() {}

    /**
     * The innermost Python line outside of libraries; else the innermost Python line; else, in the stacks of a backward pass,
     * the function that runs backwards; else the innermost line that is not the allocator. Empty for the empty stack.
     *
     * @param frames innermost first
     */
    public static Optional<Frame> of(List<Frame> frames) {
        Optional<Frame> own = frames.stream()
                .filter(TellingFrame::isPython)
                .filter(frame -> !isLibrary(frame))
                .findFirst();
        return own.or(() -> frames.stream().filter(TellingFrame::isPython).findFirst())
                .or(() -> frames.stream()
                        .filter(frame -> frame.function().contains("Backward"))
                        .findFirst())
                .or(() -> frames.stream()
                        .filter(frame -> !PLUMBING.matcher(frame.function()).find())
                        .findFirst())
                .or(() -> frames.stream().findFirst());
    }

    /** Whether the line is of a library, not of the program. */
    public static boolean isLibrary(Frame frame) {
        return LIBRARY.matcher(frame.file()).find() || frame.file().startsWith("<frozen");
    }

    /** Whether the line is Python. */
    public static boolean isPython(Frame frame) {
        return frame.file().endsWith(".py") || frame.file().startsWith("<");
    }

    /** A function's name without what C++ writes after it: arguments, and the file that is not known. */
    public static Frame brief(Frame frame) {
        String function = frame.function();
        int arguments = function.indexOf('(', Math.max(0, function.lastIndexOf("(anonymous namespace)") + 1));
        boolean isCpp = !isPython(frame) && arguments > 0;
        String file = frame.file()
                .substring(Math.max(frame.file().lastIndexOf('/'), frame.file().lastIndexOf('\\')) + 1);
        return new Frame(
                file.equals("??") ? "" : file, frame.line(), isCpp ? function.substring(0, arguments) : function);
    }

    /** {@code function  file:12}, with the last name of the path. */
    public static String text(Frame frame) {
        Frame brief = brief(frame);
        if (brief.file().isEmpty()) {
            return brief.function();
        }
        return brief.function() + "  " + brief.file() + (brief.line() > 0 ? ":" + brief.line() : "");
    }
}
