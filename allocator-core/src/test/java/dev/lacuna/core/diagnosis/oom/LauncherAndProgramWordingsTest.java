package dev.lacuna.core.diagnosis.oom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Confidence;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills as shells and launchers print them, and programs with words of their own. */
class LauncherAndProgramWordingsTest {
    private static Diagnosis only(String log) {
        List<Diagnosis> all = new Diagnoser().diagnose(OomLogReader.read(log));
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/opt/job/run.sh: line 7:  4242 Killed                  python3 fit.py --epochs 4",
                "[1]    4242 killed     python fit.py",
                "[1]+  Killed                  python3 fit.py",
                "zsh: killed     python fit.py",
                "make: *** [Makefile:12: fit] Killed",
                "[2026-01-01 01:02:03,004] [ERROR] [launch.py:7:sigkill_handler] ['python', 'fit.py'] exits with return code = -9",
                "E0101 01:02:03.000000 71 torch/distributed/elastic/multiprocessing/api.py:7] failed (exitcode: -9) local_rank: 0 (pid: 4) of binary: python",
                "  exitcode  : -9 (pid: 4)\n  error_file: <N/A>\n  traceback : Signal 9 (SIGKILL) received by PID 4",
                "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL",
                "subprocess.CalledProcessError: Command '['python', 'fit.py']' died with <Signals.SIGKILL: 9>.",
                "mpirun noticed that process rank 1 with PID 0 on node n1 exited on signal 9 (Killed).",
                "The exit codes of the workers are {SIGKILL(-9)}",
                "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)"
            })
    void a_process_that_signal_9_ended_is_most_likely_the_hosts_memory(String line) {
        Diagnosis d = only("step 7 done\n" + line + "\n");
        assertThat(d.cause()).isEqualTo(Cause.UNKNOWN);
        assertThat(d.confidence()).isEqualTo(Confidence.LOW);
        assertThat(d.report().claims()).contains(Claim.KILLED, Claim.HOST_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run.sh: line 7:  4242 Aborted                 python3 fit.py",
                "api.py: Unable to shutdown process 7 via SIGTERM, forcefully exiting via SIGKILL\n  exitcode  : -9 (pid: 7)",
                "  exitcode  : 1 (pid: 6)\n  exitcode  : -9 (pid: 7)",
                "  exitcode  : -15 (pid: 7)",
                "['python', 'fit.py'] exits with return code = 1",
                "The watchdog killed     the run",
                "[12:00] 3 tasks killed by the operator"
            })
    void what_ended_for_another_reason_is_none(String log) {
        assertThat(OomLogReader.read(log).reports()).isEmpty();
    }

    @Test
    void after_a_failure_that_was_printed_a_launchers_word_is_no_report() {
        Diagnosis d =
                only("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity;"
                        + " 5.00 GiB already allocated; 1.00 GiB free; 6.50 GiB reserved in total by PyTorch)\n"
                        + "['python', 'fit.py'] exits with return code = -9\n");
        assertThat(d.report().triedBytes()).hasValue(2L << 30);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"level\":\"error\",\"msg\":\"step failed\",\"exc_info\":\"Traceback\\nRuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB\"}",
                "{\"message\":\"step failed\",\"exception\":\"RuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB\"}",
                "{\"message\":\"step failed\",\"our_own_key\":\"RuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB\"}",
                "{\"message\":\"CUDA out of memory. Tried to allocate 3.00 GiB\",\"exc_info\":\"RuntimeError: CUDA out of memory. Tried to allocate 3.00 GiB\"}"
            })
    void a_loggers_json_is_read_in_whichever_field_the_failure_stands(String line) {
        assertThat(only(line + "\n").report().triedBytes()).hasValue(3L << 30);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "java # limit # java.lang.OutOfMemoryError: Java heap space at java.util.Arrays.copyOf(Arrays.java:7)",
                "java # limit # java.lang.OutOfMemoryError: GC overhead limit exceeded at java.util.Arrays.copyOf(Arrays.java:7)",
                "torch # limit # RuntimeError: unable to mmap 4096 bytes from file </torch_7_1>: Cannot allocate memory (12)",
                "torch # unknown # RuntimeError: unable to mmap 20000000000 bytes from file <m.safetensors>: Cannot allocate memory (12)",
                "theano # capacity # Error allocating 9000000 bytes of device memory (out of memory). Driver report 7000000 bytes free and 80000000 bytes total",
                "opencv # unknown # error: (-217:Gpu API call) out of memory in function 'allocate'",
                "opencv # unknown # a/cuda_host_mem.cpp:7: error: (-217:Gpu API call) out of memory in function 'allocate'",
                "opencv # unknown # error: (-4:Insufficient memory) Failed to allocate 9000000000 bytes in function 'OutOfMemoryError'",
                "opencl # unknown # of 'boost::wrapexcept<boost::compute::opencl_error>' what():  Memory Object Allocation Failure",
                "nvenc # unknown # [h264_nvenc @ 0x1] OpenEncodeSessionEx failed: out of memory (10): (no details)",
                "blender # unknown # System is out of GPU and shared host memory",
                "blender # unknown # CUDA error: Out of memory in cuMemAlloc(&p, size)",
                "drjit # unknown # jit_malloc(): out of memory! Could not allocate 4096 bytes of device memory.",
                "llvm # unknown # LLVM ERROR: out of memory",
                "cuda # unknown # cuda_check(): API error 0002 (\"CUDA_ERROR_OUT_OF_MEMORY\") in a.cpp:7.",
                "mindie # unknown # RuntimeError: Device out of memory (OOM) reported by PyTorch, but it can possibly triggered by HCCL. Error_code: MIE05E000006",
                "kubernetes # unknown # kubelet[7]: I0101 manager.go:7] Created an OOM event in container"
            })
    void programs_have_words_of_their_own(String library, String cause, String line) {
        Diagnosis d = only("before\n" + line + "\nafter\n");
        assertThat(d.report().library()).hasValue(library);
        assertThat(d.cause().id()).isEqualTo(cause);
        assertThat(d.remedies()).isNotEmpty();
    }

    @Test
    void a_small_mapping_that_was_refused_tells_of_the_number_of_mappings() {
        Diagnosis d =
                only("RuntimeError: unable to mmap 4096 bytes from file </torch_7_1>: Cannot allocate memory (12)\n");
        assertThat(d.remedies().get(0).id()).isEqualTo("map-count");
        assertThat(d.report().claims()).doesNotContain(Claim.SHARED_MEMORY);
    }

    @Test
    void comfyuis_own_line_is_read() {
        Diagnosis d =
                only("!!! Exception during processing !!! Allocation on device \nTraceback (most recent call last):\n");
        assertThat(d.report().framework().id()).isEqualTo("pytorch-cudaMallocAsync");
    }
}
