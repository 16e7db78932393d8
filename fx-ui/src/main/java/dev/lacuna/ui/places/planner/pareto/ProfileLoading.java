package dev.lacuna.ui.places.planner.pareto;

import dev.lacuna.core.planning.ProfileReader;
import dev.lacuna.core.planning.TraceChain;
import dev.lacuna.core.planning.method.PlanningProfile;
import dev.lacuna.core.trace.TraceReaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A profile from a file: one of the JSON formats, else a recorded trace whose lifetimes form a chain. */
final class ProfileLoading {
    /** Traces of this size take seconds; larger ones are for the command line. */
    private static final int MOST_BYTES = 512 << 20;

    private ProfileLoading() {}

    static PlanningProfile of(InputStream in) throws IOException {
        byte[] content = in.readNBytes(MOST_BYTES);
        Optional<PlanningProfile> profile = ProfileReader.read(content);
        if (profile.isPresent()) {
            return profile.get();
        }
        return TraceChain.of(TraceReaders.read(new ByteArrayInputStream(content)));
    }
}
