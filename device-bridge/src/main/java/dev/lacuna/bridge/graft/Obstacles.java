package dev.lacuna.bridge.graft;

import dev.lacuna.bridge.Obstacle;
import dev.lacuna.bridge.Obstacle.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Says in the program's words what the native library answered. */
public final class Obstacles {
    private static final int ALL_BUT_ROOT = 2;

    private final Path proc;

    /** Of processes that are laid out under this root as in {@code /proc}. */
    public Obstacles(Path proc) {
        this.proc = proc;
    }

    /** Why this process cannot be attached; empty where it can. */
    public Optional<Obstacle> of(long pid, String user, GraftReport report) {
        return switch (report.code()) {
            case OK -> Optional.empty();
            case NO_PROCESS, OTHER_PROCESS, GONE -> Optional.of(Obstacle.of(Kind.GONE, pid));
            case OTHER_USER -> Optional.of(Obstacle.of(Kind.OTHER_USER, user, pid));
            case NOT_PERMITTED -> Optional.of(notPermitted());
            case TRACED -> Optional.of(Obstacle.of(Kind.TRACED, report.detail(), name(report.detail())));
            case STOPPED -> Optional.of(Obstacle.of(Kind.STOPPED, pid));
            case OLD_PYTHON ->
                Optional.of(Obstacle.of(Kind.OLD_PYTHON, report.python().orElse("?")));
            case OTHER_MACHINE_CODE -> Optional.of(Obstacle.of(Kind.MACHINE));
            case FAULT -> Optional.of(Obstacle.of(Kind.FAULT, report.text()));
            case ZOMBIE, NOT_PYTHON, PYPY, NO_SYMBOLS, MUSL, SWITCHED_OFF, SECCOMP, BUSY, NO_ROOM ->
                Optional.of(Obstacle.of(Kind.valueOf(report.code().name())));
        };
    }

    /** Yama's setting tells whether the kernel or the container is in the way. */
    private Obstacle notPermitted() {
        try {
            int scope = Integer.parseInt(
                    Files.readString(proc.resolve("sys/kernel/yama/ptrace_scope"), StandardCharsets.US_ASCII)
                            .strip());
            return scope > ALL_BUT_ROOT
                    ? Obstacle.of(Kind.YAMA_LOCKED)
                    : scope > 0 ? Obstacle.of(Kind.YAMA, scope) : Obstacle.of(Kind.CAPABILITY);
        } catch (IOException | NumberFormatException noYama) {
            return Obstacle.of(Kind.CAPABILITY);
        }
    }

    private String name(int pid) {
        try {
            return Files.readString(proc.resolve(Integer.toString(pid)).resolve("comm"), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException goneMeanwhile) {
            return "?";
        }
    }
}
