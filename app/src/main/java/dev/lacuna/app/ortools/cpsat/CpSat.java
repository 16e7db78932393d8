package dev.lacuna.app.ortools.cpsat;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;

/** One run of CP-SAT that ends when its time is over, its memory is used up, or the calling thread is interrupted. */
public final class CpSat {
    /** Lacuna runs beside somebody's training. */
    private static final int WORKERS = 2;

    /** The search stops where it has taken so much; the model itself comes before. */
    private static final long MOST_MIB = 2048;

    /** A search that is asked to stop before it listens is asked again. */
    private static final long ASK_AGAIN_MILLIS = 50;

    private final CpSolver solver = new CpSolver();
    private final CpSolverStatus status;

    private CpSat(CpModel model, double seconds) {
        solver.getParameters()
                .setMaxTimeInSeconds(seconds)
                .setNumWorkers(WORKERS)
                .setMaxMemoryInMb(MOST_MIB)
                .setCatchSigintSignal(false);
        status = run(model);
    }

    /**
     * Loads the native libraries, unless they are loaded.
     *
     * @throws LinkageError when there are none for this machine, or they cannot be loaded
     */
    public static void loadNatives() {
        Loader.loadNativeLibraries();
    }

    /** An empty model; even its variables are made by native code. */
    static CpModel model() {
        loadNatives();
        return new CpModel();
    }

    /**
     * Solves a model.
     *
     * @param seconds wall clock, > 0
     */
    static CpSat solve(CpModel model, double seconds) {
        return new CpSat(model, seconds);
    }

    /** Native code cannot be interrupted, so it has a thread of its own, and this one waits and passes the wish on. */
    private CpSolverStatus run(CpModel model) {
        CpSolverStatus[] end = {CpSolverStatus.UNKNOWN};
        Thread search = new Thread(() -> end[0] = solver.solve(model), "or-tools");
        search.setDaemon(true);
        search.start();
        boolean interrupted = false;
        while (search.isAlive()) {
            try {
                search.join(interrupted ? ASK_AGAIN_MILLIS : 0);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                solver.stopSearch();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return end[0];
    }

    CpSolverStatus status() {
        return status;
    }

    boolean found() {
        return status == CpSolverStatus.OPTIMAL || status == CpSolverStatus.FEASIBLE;
    }

    CpSolver solution() {
        return solver;
    }
}
