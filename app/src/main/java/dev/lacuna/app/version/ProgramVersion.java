package dev.lacuna.app.version;

import java.util.Optional;

/** Name and version of this program, written into the jar by the build. */
public final class ProgramVersion {
    private ProgramVersion() {}

    /** Such as {@code lacuna 0.1.0}. */
    public static String text() {
        return "lacuna "
                + Optional.ofNullable(ProgramVersion.class.getPackage().getImplementationVersion())
                        .orElse("(unpackaged build)");
    }
}
