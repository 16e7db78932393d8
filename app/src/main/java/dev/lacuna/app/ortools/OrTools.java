package dev.lacuna.app.ortools;

import dev.lacuna.core.allocator.packing.ExactSolver;
import dev.lacuna.core.planning.graph.model.ExactGraphSolver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * OR-Tools as it is on this machine: absent, there, or there and unusable. Its classes and native libraries are loaded at the first
 * question, once a process; what goes wrong then is kept as the reason, and Lacuna's own solvers go on alone.
 */
public final class OrTools {
    private static final OrTools INSTALLED = new OrTools(OrToolsFolder.usual());
    private static final String MODELS = "dev.lacuna.app.ortools.cpsat.";

    private final Optional<OrToolsFolder> folder;
    private Optional<Models> models = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private boolean tried;

    OrTools(Optional<OrToolsFolder> folder) {
        this.folder = folder;
    }

    /** Where the usual folder says. */
    public static OrTools installed() {
        return INSTALLED;
    }

    /** How it stands with OR-Tools. */
    public enum State {
        /** No jars. */
        ABSENT,
        /** Jars that nobody needed yet. */
        FOUND,
        /** Loaded and at work. */
        LOADED,
        /** Jars that cannot be used; {@link #detail} tells why. */
        FAILED
    }

    /** How it stands, without loading anything. */
    public synchronized State state() {
        if (tried) {
            return models.isPresent() ? State.LOADED : failure.isPresent() ? State.FAILED : State.ABSENT;
        }
        try {
            return jars().isEmpty() ? State.ABSENT : State.FOUND;
        } catch (IOException e) {
            failure = Optional.of(reason(e));
            tried = true;
            return State.FAILED;
        }
    }

    /** The folder that is looked into, or why what is there cannot be used; empty where no folder is to be looked into. */
    public synchronized String detail() {
        return failure.orElse(folder.map(each -> each.path().toString()).orElse(""));
    }

    Optional<ExactGraphSolver> retention() {
        return models().map(Models::retention);
    }

    Optional<ExactSolver> packing() {
        return models().map(Models::packing);
    }

    private record Models(ExactGraphSolver retention, ExactSolver packing) {}

    private synchronized Optional<Models> models() {
        if (!tried) {
            try {
                List<Path> jars = jars();
                models = jars.isEmpty() ? Optional.empty() : Optional.of(load(jars));
            } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
                failure = Optional.of(reason(e));
            }
            tried = true;
        }
        return models;
    }

    private List<Path> jars() throws IOException {
        return folder.isPresent() ? folder.get().jars() : List.of();
    }

    /** The loader stays open as long as the process: its classes may be needed at any time. */
    private static Models load(List<Path> jars) throws IOException, ReflectiveOperationException {
        ClassLoader loader = new SolverClassLoader(jars);
        loader.loadClass(MODELS + "CpSat").getMethod("loadNatives").invoke(null);
        return new Models(
                (ExactGraphSolver) made(loader, "RetentionProgramme"), (ExactSolver) made(loader, "PackingProgramme"));
    }

    private static Object made(ClassLoader loader, String name) throws ReflectiveOperationException {
        return loader.loadClass(MODELS + name).getConstructor().newInstance();
    }

    private static String reason(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        // Both names: a class that is missing says no more than its own.
        return cause.toString().lines().findFirst().orElse("");
    }
}
