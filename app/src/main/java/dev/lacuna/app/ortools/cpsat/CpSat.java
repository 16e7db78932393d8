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

    private static boolean loaded;

    private final CpSolver solver = new CpSolver();
    private final CpSolverStatus status;

    private CpSat(CpModel model, double seconds) {
        solver.getParameters()
                .setMaxTimeInSeconds(seconds)
                .setNumWorkers(WORKERS)
                .setMaxMemoryInMb(MOST_MIB)
                // What they find is seldom worth their time on these models: beyond the time there is, on large ones.
                .setCpModelProbingLevel(0)
                .setSymmetryLevel(0)
                .setMaxPresolveIterations(1)
                .setCatchSigintSignal(false);
        status = run(model);
    }

    /**
     * Loads the native libraries, unless they are loaded. On a thread of its own: OR-Tools' loader, when it is interrupted, takes what it
     * did not load for loaded.
     *
     * @throws LinkageError when there are none for this machine, or they cannot be loaded
     */
    public static synchronized void loadNatives() {
        if (loaded) {
            return;
        }
        Throwable[] failure = new Throwable[1];
        uninterrupted(
                new Thread(
                        () -> {
                            try {
                                Loader.loadNativeLibraries();
                                new CpModel().newBoolVar("");
                            } catch (RuntimeException | LinkageError e) {
                                failure[0] = e;
                            }
                        },
                        "or-tools-load"),
                () -> {});
        if (failure[0] != null) {
            throw new LinkageError("OR-Tools' native libraries: " + failure[0].getMessage(), failure[0]);
        }
        loaded = true;
    }

    /** Runs a thread to its end; while the caller is interrupted, and stays so, the wish is passed on again and again. */
    private static void uninterrupted(Thread thread, Runnable wish) {
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(interrupted ? ASK_AGAIN_MILLIS : 0);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                wish.run();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
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
        uninterrupted(new Thread(() -> end[0] = solver.solve(model), "or-tools"), solver::stopSearch);
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
