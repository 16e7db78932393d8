package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operating systems, batch systems, containers, libraries and collectives print when memory runs out, as their sources do. */
class HostAndLibraryWordingsTest {
    private static final long NONE = -1;

    static Stream<Arguments> host() {
        return Stream.of(
                arguments("torch", "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. ", NONE),
                arguments(
                        "torch",
                        "RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
                        NONE),
                arguments(
                        "torch",
                        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\nRuntimeError: DataLoader worker (pid 12) is killed by signal: Bus error.",
                        NONE),
                arguments(
                        "torch",
                        "RuntimeError: unable to write to file </torch_18692_1954506624_0>: No space left on device (28)",
                        NONE),
                arguments("torch", "RuntimeError: unable to write to file </torch_18692_1954506624>", NONE),
                arguments(
                        "torch",
                        "RuntimeError: unable to mmap 150528 bytes from file </torch_9102_1_77>: Cannot allocate memory (12)",
                        150528L),
                arguments(
                        "torch",
                        "RuntimeError: unable to open shared memory object </torch_9102_1_77> in read-write mode: No space left on device (28)",
                        NONE),
                arguments(
                        "torch",
                        "RuntimeError: [enforce fail at alloc_cpu.cpp:114] data. DefaultCPUAllocator: not enough memory: you tried to allocate 1207959552 bytes.",
                        1207959552L),
                arguments(
                        "torch",
                        "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 9663676416 bytes. Error code 12 (Cannot allocate memory)",
                        9663676416L),
                arguments(
                        "torch",
                        "RuntimeError: $ Torch: not enough memory: you tried to allocate 12GB. Buy new RAM! at /opt/conda/TH/THGeneral.cpp:201",
                        12L << 30),
                arguments(
                        "numpy",
                        "MemoryError: Unable to allocate 2.00 PiB for an array with shape (41, 61, 81) and data type float64",
                        2L << 50),
                arguments(
                        "numpy",
                        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 1.50 GiB for an array with shape (100, 200) and data type float64",
                        3L << 29),
                arguments(
                        "numpy",
                        "MemoryError: Unable to allocate 512. MiB for an array with shape (64, 1024, 1024) and data type int64",
                        512L << 20),
                arguments(
                        "numpy",
                        "MemoryError: Unable to allocate array with shape (54000, 3, 96, 96) and data type float64",
                        NONE),
                arguments(
                        "python",
                        "Traceback (most recent call last):\n  File \"a.py\", line 2, in f\n    x = b'' * n\nMemoryError",
                        NONE),
                arguments(
                        "c++",
                        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc",
                        NONE),
                arguments(null, "OSError: [Errno 12] Cannot allocate memory", NONE),
                arguments(null, "OSError: [WinError 1455] Die Auslagerungsdatei ist zu klein.", NONE),
                arguments(null, "Error while deserializing header: 页面文件太小，无法完成操作。 (os error 1455)", NONE),
                arguments(
                        null,
                        "OSError: [WinError 8] Not enough memory resources are available to process this command",
                        NONE),
                arguments(
                        "ray",
                        "ray.memory_monitor.RayOutOfMemoryError: More than 95% of the memory on node node7 is used (60.21 / 63.32 GB). The top 5 memory consumers are:",
                        NONE),
                arguments(
                        "ray",
                        "(raylet) node_manager.cc:3064: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: ab)",
                        NONE),
                arguments(
                        "ray",
                        "ray.exceptions.ObjectStoreFullError: Failed to put object 00ff in object store because it is full. Object size is 1000 bytes.",
                        NONE),
                arguments(
                        "kubernetes",
                        "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137",
                        NONE),
                arguments("kubernetes", "trainer-0   0/1     OOMKilled   3 (25s ago)   10m", NONE),
                arguments(
                        "kubernetes",
                        "\"State\": {\"Status\": \"exited\", \"OOMKilled\": true, \"ExitCode\": 137}",
                        NONE),
                arguments("kubernetes", "Main process: OOMKilled (exit code 137)", NONE),
                arguments(
                        "kubernetes",
                        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 51Mi.",
                        NONE),
                arguments(
                        "slurm",
                        "slurmstepd: error: Detected 4 oom_kill events in StepId=812.0. Some of the step tasks have been OOM Killed.",
                        NONE),
                arguments("slurm", "slurmstepd: error: Exceeded step memory limit at some point.", NONE),
                arguments(
                        "slurm",
                        "slurmstepd: error: Job 99 exceeded memory limit (8400000 > 8388608), being killed",
                        NONE),
                arguments("slurm", "srun: error: node12: task 3: Out Of Memory", NONE),
                arguments("slurm", "State: OUT_OF_MEMORY (exit code 0)", NONE),
                arguments("slurm", "812.batch  python  OUT_OF_ME+  0:125", NONE),
                arguments("pbs", "=>> PBS: job killed: mem 8400000kb exceeded limit 8388608kb", NONE),
                arguments("lsf", "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.", NONE),
                arguments(
                        "linux",
                        "[1.0] python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0\n[1.1] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)\n[1.2] Memory cgroup out of memory: Killed process 99 (python3) total-vm:1kB\n[1.3] oom_reaper: reaped process 99 (python3)",
                        NONE),
                arguments("linux", "Task in /kubepods/pod1 killed as a result of limit of /kubepods/pod1", NONE),
                arguments("linux", "systemd[1]: train.service: Failed with result 'oom-kill'.", NONE),
                arguments(
                        "llama.cpp",
                        "ggml_aligned_malloc: insufficient memory (attempted to allocate 19456.00 MB)",
                        19456L << 20),
                arguments(
                        "llama.cpp",
                        "ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate CPU buffer of size 4294967296",
                        4294967296L),
                arguments(
                        "nccl",
                        "node1:1:2 [0] NCCL WARN Error while creating shared memory segment /dev/shm/nccl-KoWFsg (size 9637888), error: No space left on device (28)",
                        NONE));
    }

    @ParameterizedTest
    @MethodSource("host")
    void of_the_host_are_each_one_report_of_the_host(String library, String log, long tried) {
        OomReport report = one(log);
        assertThat(report.claims()).contains(Claim.HOST_MEMORY);
        assertThat(report.library().orElse(null)).isEqualTo(library);
        assertThat(report.triedBytes().orElse(NONE)).isEqualTo(tried);
    }

    static Stream<Arguments> libraries() {
        return Stream.of(
                arguments(
                        "other",
                        "cupy",
                        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes (allocated so far: 4,294,967,296 bytes).",
                        8589934592L),
                arguments(
                        "other",
                        "cupy",
                        "OutOfMemoryError: out of memory to allocate 4096 bytes (total 12288 bytes)",
                        4096L),
                arguments(
                        "other",
                        "rmm",
                        "MemoryError: std::bad_alloc: out_of_memory: CUDA error at: /rmm/include/cuda_memory_resource.hpp:70: cudaErrorMemoryAllocation out of memory",
                        NONE),
                arguments(
                        "other",
                        "rmm",
                        "what():  std::bad_alloc: out_of_memory: CUDA error (failed to allocate 368974272 bytes) at: /rmm/cuda_async_view_memory_resource.cpp:43",
                        368974272L),
                arguments(
                        "other",
                        "rmm",
                        "MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/rmm/pool_memory_resource.hpp:196: Maximum pool size exceeded (failed to allocate 2.0 GiB)",
                        2L << 30),
                arguments(
                        "other",
                        "thrust",
                        "terminate called after throwing an instance of 'thrust::system::detail::bad_alloc'\n  what():  std::bad_alloc: cudaErrorMemoryAllocation: out of memory",
                        NONE),
                arguments("other", "ctranslate2", "RuntimeError: CUDA failed with error out of memory", NONE),
                arguments(
                        "other",
                        "tensorrt",
                        "[TRT] [E] 2: [virtualMemoryBuffer.cpp::resizePhysical::145] Error Code 2: OutOfMemory (no further information)",
                        NONE),
                arguments(
                        "other",
                        "tensorrt-llm",
                        "[TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, mCudaStream->get()): out of memory (/src/tllmBuffers.h:117)",
                        NONE),
                arguments(
                        "other",
                        "level-zero",
                        "zeMemAllocDevice returns ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY for 20 GiB",
                        NONE),
                arguments(
                        "pytorch-xpu",
                        null,
                        "RuntimeError: level_zero backend failed with error: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)",
                        NONE),
                arguments(
                        "jax-xla",
                        null,
                        "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 85,898,814,480 bytes.",
                        85898814480L),
                arguments(
                        "paddle",
                        null,
                        "(External) CUBLAS error(3). [Hint: 'CUBLAS_STATUS_ALLOC_FAILED'. Resource allocation failed inside the cuBLAS library.]",
                        NONE),
                arguments(
                        "pytorch-cuda",
                        null,
                        "torch.OutOfMemoryError: CUDA out of memory。 Tried to allocate 1,55 GiB。 GPU 0 has a total capacity of 23,99 GiB of which 0 bytes is free",
                        1664299827L),
                arguments(
                        "ascend-runtime",
                        null,
                        "[ERROR] HCCL(3112,python):2025-01-02-03:04:05.006 [hccl_alloc.cc:31] device memory alloc failed, size[209715200]",
                        209715200L),
                arguments(
                        "ascend-runtime",
                        null,
                        "EI0007: 2025-01-02-03:04:05.006 Failed to allocate resource[DeviceMemory] with info [size:209715200 Byte]. Reason: Memory resources are exhausted.",
                        209715200L),
                arguments(
                        "ascend-runtime",
                        null,
                        "Allocation_Failure(EI0007): Failed to allocate resource[qp] with info [rank:9]. Reason: Memory resources are exhausted.",
                        NONE),
                arguments(
                        "ascend-runtime",
                        null,
                        "RuntimeError: HCCL error in: torch_npu/csrc/distributed/ProcessGroupHCCL.cpp:64\n[ERROR] 2025-01-02-03:04:05 (PID:9, Device:3, RankID:3) ERR02200 DIST call hccl api failed.\nEL0004: Failed to allocate memory.",
                        NONE),
                arguments(
                        "pytorch-cuda",
                        null,
                        "node1:1:2 [3] include/alloc.h:178 NCCL WARN Cuda failure 'out of memory'\nnode1:1:2 [3] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 6291456 bytes",
                        6291456L));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void of_libraries_and_collectives_are_each_one_report_of_a_device(
            String framework, String library, String log, long tried) {
        OomReport report = one(log);
        assertThat(report.framework().id()).isEqualTo(framework);
        assertThat(report.library().orElse(null)).isEqualTo(library);
        assertThat(report.claims()).doesNotContain(Claim.HOST_MEMORY);
        assertThat(report.triedBytes().orElse(NONE)).isEqualTo(tried);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Segmentation fault.",
                "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Aborted.",
                "RuntimeError: DataLoader worker (pid(s) 4242) exited unexpectedly",
                "command terminated with exit code 137",
                "\"OOMKilled\": false, \"ExitCode\": 137",
                "If a pod is OOMKilled, raise its limit.",
                "RuntimeError: unable to open shared memory object </torch_1> in read-write mode: Too many open files (24)",
                "HCCL error in: ProcessGroupHCCL.cpp:64\nEJ0001: Failed to initialize the HCCP process. Reason: Maybe the last training process is running.",
                "EI0006: Getting socket times out. Reason: Remote Rank did not send the data in time.",
                "The error codes are EI0006, EI0007 and EI0011.",
                "NCCL WARN Cuda failure 1 'invalid argument'",
                "(raylet) 0 Workers (tasks / actors) killed due to memory pressure (OOM), 3 Workers crashed due to other reasons",
                "except MemoryError:",
                "raise MemoryError(\"Unable to allocate array\")",
                "catch (const std::bad_alloc& e) {",
                "Bus error (core dumped)",
                "[WinError 126] The specified module could not be found",
                "State: COMPLETED (exit code 0)\nMemory Utilized: 2.00 GB",
                "OUT_OF_MEMORY=137",
                "Tactic Device request: 4608MB Available: 3931MB. Device memory is insufficient to use tactic."
            })
    void what_is_none_stays_none(String log) {
        assertThat(OomLogReader.read(log).reports()).isEmpty();
    }

    @Test
    void a_table_of_counters_that_stands_alone_is_read_and_beside_a_failure_tells_of_its_pool() {
        String table = "|          PyTorch CUDA memory summary, device ID 1          |\n"
                + "|---------------------------------------------------------------------------|\n"
                + "|            CUDA OOMs: 1            |        cudaMalloc retries: 2         |\n"
                + "|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |\n"
                + "| Allocated memory      |   7168 MiB |   7200 MiB |  10000 MiB |   2832 MiB |\n"
                + "|       from large pool |   7160 MiB |   7190 MiB |   9900 MiB |   2740 MiB |\n"
                + "| Active memory         |   7168 MiB |   7200 MiB |  10000 MiB |   2832 MiB |\n"
                + "| GPU reserved memory   |   8000 MiB |   8000 MiB |   8000 MiB |      0 B   |\n";
        OomReport alone = one(table);
        assertThat(alone.device()).hasValue("GPU 1");
        assertThat(alone.allocatedBytes()).hasValue(7168L << 20);
        assertThat(alone.reservedBytes()).hasValue(8000L << 20);
        OomLog beside = OomLogReader.read(
                table + "node1:1:2 [3] include/alloc.h:185 NCCL WARN Failed to CUDA calloc 6291456 bytes\n");
        assertThat(beside.reports()).hasSize(1);
        assertThat(beside.tables()).hasSize(1);
        assertThat(OomLogReader.read(table.replace("OOMs: 1", "OOMs: 0")).reports())
                .isEmpty();
    }

    private static OomReport one(String log) {
        List<OomReport> reports = OomLogReader.read(log).reports();
        assertThat(reports).hasSize(1);
        return reports.get(0);
    }
}
