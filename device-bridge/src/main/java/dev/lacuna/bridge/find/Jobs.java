package dev.lacuna.bridge.find;

import dev.lacuna.bridge.FoundProcess.Job;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A process's place in a job, by the variables that launchers set. */
final class Jobs {
    private static final List<String> RANKS =
            List.of("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK_ID", "LOCAL_RANK");
    private static final List<String> SIZES =
            List.of("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "RANK_SIZE");

    /** A variable that only this launcher sets. The one that is nearest to the training comes first. */
    private static final Map<String, String> LAUNCHERS = new LinkedHashMap<>();

    static {
        LAUNCHERS.put("ACCELERATE_MIXED_PRECISION", "accelerate");
        LAUNCHERS.put("TORCHELASTIC_RUN_ID", "torchrun");
        LAUNCHERS.put("MS_WORKER_NUM", "msrun");
        LAUNCHERS.put("OMPI_COMM_WORLD_RANK", "mpirun");
        LAUNCHERS.put("PMI_RANK", "mpiexec");
        LAUNCHERS.put("SLURM_JOB_ID", "slurm");
        LAUNCHERS.put("RAY_JOB_ID", "ray");
        LAUNCHERS.put("JPY_PARENT_PID", "jupyter");
    }

    private Jobs() {}

    static Job of(Map<String, String> environment, String command) {
        Optional<String> launcher = LAUNCHERS.entrySet().stream()
                .filter(entry -> environment.containsKey(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        return new Job(
                first(environment, RANKS),
                first(environment, SIZES),
                launcher.or(() -> command.contains("ipykernel") ? Optional.of("jupyter") : Optional.empty()));
    }

    private static OptionalInt first(Map<String, String> environment, List<String> names) {
        for (String name : names) {
            String value = environment.getOrDefault(name, "");
            if (value.matches("\\d{1,9}")) {
                return OptionalInt.of(Integer.parseInt(value));
            }
        }
        return OptionalInt.empty();
    }
}
