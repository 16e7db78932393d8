package dev.lacuna.core.diagnosis.remedy;

import dev.lacuna.core.diagnosis.model.Evidence;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework.Family;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.List;
import java.util.Optional;

/** What helps where the host's memory ran out: each kind of shortage has its own, and each place its own command. */
final class HostRemedies {
    private HostRemedies() {}

    /** A larger {@code /dev/shm}: containers get 64 MiB unless told otherwise. */
    static Optional<Remedy> sharedMemory(Evidence e) {
        if (!e.claims(Claim.SHARED_MEMORY)) {
            return Optional.empty();
        }
        if (e.surroundings().show(Trait.NOTEBOOK_SERVICE)) {
            return Optional.empty(); // Whose containers nobody starts oneself: fewer workers are left.
        }
        return Optional.of(
                e.surroundings().show(Trait.KUBERNETES)
                        ? own("shm-size", "emptyDir: {medium: Memory, sizeLimit: 8Gi}   # mounted at /dev/shm")
                        : sharedMemoryIf());
    }

    private static final String SHM = "docker run --shm-size=8g …";

    /** The same for whom nothing tells a container, where a limit of 64 MiB is most likely all the same. */
    private static Remedy sharedMemoryIf() {
        return Remedy.manual("shm-size", Optional.of(SHM), Text.of("remedy.shm-size.why.if"))
                .titled(Text.of("remedy.shm-size.title.if"));
    }

    /** Windows commits memory before it is used: the paging file has to hold it. */
    static Optional<Remedy> pagingFile(Evidence e) {
        if (!e.claims(Claim.PAGING_FILE)) {
            return Optional.empty();
        }
        Text why = spawns(e) ? Text.of("remedy.paging-file.why.workers") : Remedy.whyOf("paging-file");
        return Optional.of(Remedy.manual("paging-file", Optional.empty(), why));
    }

    /** The same first, where so little was refused that only what Windows commits can have run out. */
    static Optional<Remedy> pagingFileFirst(Evidence e) {
        boolean little = e.tried().isPresent()
                && e.tried().getAsLong() <= LITTLE
                && e.origin().onWindows();
        return little ? pagingFileToo(e) : Optional.empty();
    }

    private static final long LITTLE = 1L << 30;

    /** The same behind everything else: Windows refuses what it cannot back, however much is free. */
    static Optional<Remedy> pagingFileToo(Evidence e) {
        boolean refused = e.origin().onWindows()
                && !e.claims(Claim.KILLED)
                && !e.claims(Claim.LIMIT)
                && !e.claims(Claim.PINNED)
                && e.tried().orElse(0) < OF_NO_LEFTOVER;
        return refused
                ? Optional.of(Remedy.manual("paging-file", Optional.empty(), Text.of("remedy.paging-file.why.if"))
                        .titled(Text.of("remedy.paging-file.title.if")))
                : Optional.empty();
    }

    /** A daemon that ends processes before the kernel has to leaves more to them. */
    static Optional<Remedy> daemon(Evidence e) {
        return switch (e.report().library().orElse("")) {
            case "earlyoom" -> Optional.of(own("kill-daemon", "earlyoom -m 2 -s 5"));
            case "systemd-oomd" ->
                Optional.of(own("kill-daemon", "ManagedOOMMemoryPressureLimit=80%   # systemctl edit user@.service"));
            default -> Optional.empty();
        };
    }

    /** More of the host from whoever grants it: only under the system that does. */
    static Optional<Remedy> jobLimit(Evidence e) {
        if (e.claims(Claim.SLURM) || e.surroundings().show(Trait.SLURM)) {
            return Optional.of(own("host-limit", "sbatch --mem=SIZE"));
        }
        if (!e.claims(Claim.BATCH_SYSTEM)) {
            return Optional.empty();
        }
        return Optional.of(own(
                "host-limit",
                switch (e.report().library().orElse("")) {
                    case "pbs" -> "qsub -l mem=SIZE";
                    case "yarn" -> "spark-submit --conf spark.executor.memoryOverhead=SIZE";
                    case "htcondor" -> "request_memory = SIZE";
                    default -> "bsub -M SIZE";
                }));
    }

    /** A node of a cluster that ran short itself: a pod is placed by what it requests. */
    static Optional<Remedy> nodeRoom(Evidence e) {
        boolean node = e.claims(Claim.EXHAUSTED)
                && e.report().library().filter("kubernetes"::equals).isPresent();
        return node ? Optional.of(own("node-room", "resources: {requests: {memory: SIZE}}")) : Optional.empty();
    }

    /** A container's own limit. */
    static Optional<Remedy> containerLimit(Evidence e) {
        if (!e.claims(Claim.CONTAINER) || isNotebook(e) || isJobsGroup(e)) {
            return Optional.empty();
        }
        if (e.report().library().filter("ecs"::equals).isPresent()) {
            return Optional.of(own("container-limit", "\"memory\": MIB   # in the task definition"));
        }
        return Optional.of(
                inPod(e)
                        ? own("container-limit", "resources: {limits: {memory: SIZE}}")
                        : own("container-limit", "docker run --memory=SIZE …"));
    }

    /** Whether the control group is that of a job of Slurm's, which is told by the kernel as a container's is. */
    private static boolean isJobsGroup(Evidence e) {
        return e.surroundings().show(Trait.SLURM)
                && !e.surroundings().show(Trait.DOCKER)
                && !e.surroundings().show(Trait.KUBERNETES);
    }

    /** Whether Kubernetes runs the container; Docker calls its end by the same word. */
    private static boolean inPod(Evidence e) {
        boolean inspected = e.report().context().says("\"OOMKilled\":"); // As docker inspect prints it.
        boolean named = e.report().library().filter("kubernetes"::equals).isPresent();
        return !inspected
                && (named
                        || e.surroundings().show(Trait.KUBERNETES)
                                && !e.surroundings().show(Trait.DOCKER));
    }

    /** A larger machine of whoever runs the notebook. */
    static Optional<Remedy> runtime(Evidence e) {
        return isNotebook(e) && !e.claims(Claim.SHARED_MEMORY) ? Optional.of(plain("host-runtime")) : Optional.empty();
    }

    private static boolean isNotebook(Evidence e) {
        String library = e.report().library().orElse("");
        return e.surroundings().show(Trait.NOTEBOOK_SERVICE) || library.equals("colab") || library.equals("kaggle");
    }

    /** Fewer tasks at once on a node, where they are the user's own: a trainer on Ray makes its own. */
    static Optional<Remedy> ray(Evidence e) {
        return e.claims(Claim.RAY) && !e.surroundings().show(Trait.COLOCATED)
                ? Optional.of(own("ray-memory", "@ray.remote(memory=SIZE)"))
                : Optional.empty();
    }

    /** More of the host for each worker, which means fewer of them. */
    static Optional<Remedy> dask(Evidence e) {
        return e.report().library().filter("dask"::equals).isPresent()
                ? Optional.of(own("dask-memory", "Client(n_workers=2, memory_limit=\"SIZE\")"))
                : Optional.empty();
    }

    /** The heap that a Java process was allowed; Spark sets its executors' itself. */
    static Optional<Remedy> javaHeap(Evidence e) {
        if (!isJava(e)) {
            return Optional.empty();
        }
        boolean spark = e.report().context().lines().stream().anyMatch(line -> line.contains("spark"));
        return Optional.of(own("java-heap", spark ? "spark-submit --executor-memory SIZE" : "java -Xmx16g …"));
    }

    private static boolean isJava(Evidence e) {
        return e.report().library().filter("java"::equals).isPresent();
    }

    /** A process may have 65,530 mappings unless the kernel is told otherwise; each shared tensor is one. */
    static Optional<Remedy> mappings(Evidence e) {
        return e.claims(Claim.MAPPINGS)
                ? Optional.of(own("map-count", "sysctl -w vm.max_map_count=1048576"))
                : Optional.empty();
    }

    /** Pinned memory cannot be swapped out, and systems limit it apart. */
    static Optional<Remedy> unpinned(Evidence e) {
        if (!e.claims(Claim.PINNED) || locksForNetwork(e)) {
            return Optional.empty();
        }
        boolean torch = e.surroundings().show(Trait.TORCH) || e.surroundings().show(Trait.DATA_LOADER);
        String why = e.surroundings().show(Trait.WSL) ? ".wsl" : torch ? "" : ".plain";
        return Optional.of(Remedy.manual("unpinned", Optional.empty(), Text.of("remedy.unpinned.why" + why)));
    }

    /** What a network card sends from is locked, and systems grant little of that. */
    static Optional<Remedy> lockedMemory(Evidence e) {
        if (!locksForNetwork(e)) {
            return Optional.empty();
        }
        boolean contained =
                e.surroundings().show(Trait.DOCKER) || e.surroundings().show(Trait.KUBERNETES);
        return Optional.of(
                own("locked-memory", contained ? "docker run --ulimit memlock=-1:-1 …" : "ulimit -l unlimited"));
    }

    private static boolean locksForNetwork(Evidence e) {
        return e.claims(Claim.COLLECTIVE) && e.report().text().contains("ibv_");
    }

    /** DeepSpeed's offload, which keeps the optimizer's states on the host. */
    static Optional<Remedy> offload(Evidence e) {
        boolean adam = e.report().context().lines().stream()
                .anyMatch(line -> OFFLOADING.stream().anyMatch(line::contains));
        return adam
                ? Optional.of(
                        own("host-offload", "\"offload_optimizer\": {\"device\": \"nvme\", \"nvme_path\": \"DIR\"}"))
                : Optional.empty();
    }

    private static final List<String> OFFLOADING = List.of(
            "cpu_adam",
            "CPUAdam",
            "CPU_Adam",
            "offload_optimizer",
            "_offload_config",
            "Before initializing optimizer states",
            "initializing group partitions");

    /** One array of this size is short of memory by itself, however many processes load. */
    private static final long LARGE_ARRAY = 8L << 30;

    /** Loading with fewer processes, where something loads. */
    static Optional<Remedy> loaders(Evidence e) {
        if (e.origin().loadsOnHost() && !e.claims(Claim.LOADER) && !e.claims(Claim.SHARED_MEMORY)) {
            return Optional.empty(); // Weights, not samples.
        }
        boolean made = e.report().library().filter("numpy"::equals).isPresent()
                && !e.surroundings().show(Trait.DATA_LOADER); // Where nothing loads, it was worked out.
        boolean array = e.tried().orElse(0) >= LARGE_ARRAY && !e.claims(Claim.LIMIT) || made;
        boolean loads = !array && e.claims(Claim.LOADER)
                || e.claims(Claim.SHARED_MEMORY)
                        && e.report().library().filter("torch"::equals).isPresent()
                || !array && e.surroundings().show(Trait.DATA_LOADER);
        return loads && e.report().framework().family() != Family.MINDSPORE
                ? Optional.of(own("host-workers", "DataLoader(…, num_workers=2)"))
                : Optional.empty();
    }

    /** Whether a process that was spawned was only importing: each imports all libraries anew. */
    private static boolean spawns(Evidence e) {
        return e.claims(Claim.PAGING_FILE) && e.surroundings().show(Trait.DATA_LOADER);
    }

    /** One array or file larger than the host has to be read in pieces. */
    static Optional<Remedy> pieces(Evidence e) {
        if (e.claims(Claim.SHARED_MEMORY)
                || e.claims(Claim.PINNED)
                || e.claims(Claim.MAPPINGS)
                || spawns(e)
                || e.origin().serves()) {
            return Optional.empty();
        }
        if (e.report().text().contains("mmap")) {
            return Optional.of(own("host-mapping", "ulimit -v unlimited"));
        }
        // An array that was worked out is in no file.
        boolean numpy = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("numpy.load") || line.contains("np.load(") || line.contains("npyio"));
        return Optional.of(numpy ? own("host-pieces", "numpy.load(FILE, mmap_mode=\"r\")") : plain("host-pieces"));
    }

    /** Compilers that run side by side; each of CUDA's takes gigabytes. */
    static Optional<Remedy> buildJobs(Evidence e) {
        boolean builds = e.report().context().lines().stream()
                .anyMatch(line -> line.contains("nvcc error") || line.contains("cicc") || line.contains("cc1plus"));
        return builds ? Optional.of(own("build-jobs", "MAX_JOBS=2 pip install …")) : Optional.empty();
    }

    /** One piece of this size no other process keeps from anybody. */
    private static final long OF_NO_LEFTOVER = 64L << 30;

    /** Who holds the host's memory. */
    static Optional<Remedy> othersOnHost(Evidence e) {
        if (e.claims(Claim.SHARED_MEMORY)) {
            return Optional.of(own("host-others", "df -h /dev/shm"));
        }
        if (e.claims(Claim.MAPPINGS) || isJava(e)) {
            return Optional.empty(); // No other process has a share in it.
        }
        if (e.tried().orElse(0) >= OF_NO_LEFTOVER) {
            return Optional.empty();
        }
        if (e.claims(Claim.SLURM)) {
            return Optional.of(Remedy.manual(
                            "host-others",
                            Optional.of("sacct -j JOB --format=JobID,ReqMem,MaxRSS,State"),
                            Text.of("remedy.host-others.why.job"))
                    .titled(Text.of("remedy.host-others.title.job")));
        }
        if (e.claims(Claim.CONTAINER) && (inPod(e) || e.surroundings().show(Trait.KUBERNETES))) {
            return Optional.of(Remedy.manual(
                            "host-others",
                            Optional.of(inPod(e) ? "kubectl top pod POD --containers" : "docker stats --no-stream"),
                            Text.of("remedy.host-others.why.container"))
                    .titled(Text.of("remedy.host-others.title.container")));
        }
        if (e.origin().onWindows() || e.claims(Claim.PAGING_FILE)) {
            return Optional.of(plain("host-others"));
        }
        return Optional.of(
                e.surroundings().show(Trait.MACOS)
                        ? own("host-others", "top -o mem")
                        : own("host-others", "ps -eo pid,rss,args --sort=-rss | head"));
    }

    private static Remedy own(String id, String command) {
        return Remedy.manual(id, Optional.of(command), Remedy.whyOf(id));
    }

    private static Remedy plain(String id) {
        return Remedy.manual(id, Optional.empty(), Remedy.whyOf(id));
    }
}
