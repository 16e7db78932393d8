package dev.lacuna.core.diagnosis.oom.listing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.diagnosis.Diagnoser;
import dev.lacuna.core.diagnosis.model.DiagnosisText;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Kind;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import dev.lacuna.core.diagnosis.oom.model.OomLog;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tables of memory, pasted alone or printed beside a failure. */
class MemoryListingsTest {
    private static final long MIB = 1L << 20;

    private static final String NVIDIA = """
            Mon Jan  5 10:11:12 2026
            +-----------------------------------------------------------------------------------------+
            | NVIDIA-SMI 560.35.03              Driver Version: 560.35.03      CUDA Version: 12.6     |
            |-----------------------------------------+------------------------+----------------------+
            | GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
            | Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
            |                                         |                        |               MIG M. |
            |=========================================+========================+======================|
            |   0  NVIDIA GeForce RTX 4090        Off |   00000000:01:00.0 Off |                  Off |
            |  0%   41C    P2             61W /  450W |   23012MiB /  24564MiB |      3%      Default |
            |                                         |                        |                  N/A |
            +-----------------------------------------+------------------------+----------------------+
            |   1  NVIDIA GeForce RTX 4090        Off |   00000000:02:00.0 Off |                  Off |
            |  0%   33C    P8             21W /  450W |      14MiB /  24564MiB |      0%      Default |
            |                                         |                        |                  N/A |
            +-----------------------------------------+------------------------+----------------------+

            +-----------------------------------------------------------------------------------------+
            | Processes:                                                                              |
            |  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
            |        ID   ID                                                               Usage      |
            |=========================================================================================|
            |    0   N/A  N/A      4242      C   /home/u/venv/bin/python                     19876MiB |
            |    0   N/A  N/A      5151      C   ray::train                                   3100MiB |
            +-----------------------------------------------------------------------------------------+
            """;

    /** Parts of a device, with what runs in one of them. */
    private static final String PARTS = """
            +-----------------------------------------------------------------------------------------+
            |   0  NVIDIA A100-SXM4-40GB           On |   00000000:01:00.0 Off |                   On |
            | N/A   31C    P0             44W /  400W |    9000MiB /  40960MiB |     N/A      Default |
            |                                         |                        |              Enabled |
            +-----------------------------------------+------------------------+----------------------+
            | MIG devices:                                                                            |
            +------------------+----------------------------------+-----------+-----------------------+
            | GPU  GI  CI  MIG |                     Memory-Usage |        Vol|        Shared         |
            |==================+==================================+===========+=======================|
            |  0    1   0   0  |            8970MiB / 20096MiB    | 42      0 |  3   0    2    0    0 |
            |                  |               2MiB / 32767MiB    |           |                       |
            +------------------+----------------------------------+-----------+-----------------------+
            |  0    2   0   1  |              30MiB / 20096MiB    | 42      0 |  3   0    2    0    0 |
            +------------------+----------------------------------+-----------+-----------------------+
            | Processes:                                                                              |
            |    0    1    0       4242      C   python                                       8900MiB |
            +-----------------------------------------------------------------------------------------+
            """;

    @Test
    void parts_of_a_device_are_read_with_what_runs_in_them() {
        List<MemoryListing> all = OomLogReader.read(PARTS).listings();
        assertThat(all).extracting(MemoryListing::device).containsExactly("GPU 0", "GPU 0 MIG 1/0", "GPU 0 MIG 2/0");
        assertThat(all.get(1).shares()).hasSize(1);
        assertThat(all.get(0).shares()).isEmpty();
        assertThat(all.get(2).amount(Quantity.TOTAL)).hasValue(20096 * MIB);
    }

    @Test
    void a_table_within_lines_of_json_is_read() {
        String json = NVIDIA.lines()
                .map(line -> "{\"log\":\"" + line + "\\n\",\"stream\":\"stdout\"}\n")
                .collect(Collectors.joining());
        assertThat(OomLogReader.read(json).listings())
                .extracting(MemoryListing::device)
                .containsExactlyElementsOf(OomLogReader.read(NVIDIA).listings().stream()
                        .map(MemoryListing::device)
                        .toList())
                .hasSize(2);
    }

    private static final String NPU = """
            +------------------------------------------------------------------------------------------------+
            | npu-smi 24.1.rc1                 Version: 24.1.rc1                                             |
            +---------------------------+---------------+----------------------------------------------------+
            | NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
            | Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
            +===========================+===============+====================================================+
            | 0     910B3               | OK            | 97.2        45                0    / 0             |
            | 0                         | 0000:C1:00.0  | 0           0    / 0          62915/ 65536         |
            +===========================+===============+====================================================+
            | 1     910B3               | OK            | 95.0        44                0    / 0             |
            | 0                         | 0000:01:00.0  | 0           0    / 0          3301 / 65536         |
            +===========================+===============+====================================================+
            +---------------------------+---------------+----------------------------------------------------+
            | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
            +===========================+===============+====================================================+
            | No running processes found in NPU 0                                                            |
            +===========================+===============+====================================================+
            """;

    private static final String SUMMARY = """
            |===========================================================================|
            |                  PyTorch CUDA memory summary, device ID 0                 |
            |---------------------------------------------------------------------------|
            |            CUDA OOMs: 0            |        cudaMalloc retries: 3         |
            |===========================================================================|
            |        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
            |---------------------------------------------------------------------------|
            | Allocated memory      |   6144 MiB |   9001 MiB |  90000 MiB |  83856 MiB |
            |       from large pool |   6100 MiB |   8900 MiB |  89000 MiB |  82900 MiB |
            |---------------------------------------------------------------------------|
            | Active memory         |   6144 MiB |   9001 MiB |  90000 MiB |  83856 MiB |
            |---------------------------------------------------------------------------|
            | GPU reserved memory   |  10240 MiB |  10240 MiB |  20480 MiB |  10240 MiB |
            |---------------------------------------------------------------------------|
            | Non-releasable memory |   3800 MiB |   3900 MiB |  50000 MiB |  46200 MiB |
            |===========================================================================|
            """;

    @Test
    void nvidia_smi_tells_who_holds_how_much_of_each_device() {
        List<MemoryListing> listings = OomLogReader.read(NVIDIA).listings();
        assertThat(listings).extracting(MemoryListing::device).containsExactly("GPU 0", "GPU 1");
        MemoryListing first = listings.get(0);
        assertThat(first.amount(Quantity.TOTAL)).hasValue(24564 * MIB);
        assertThat(first.usedBytes()).hasValue(23012 * MIB);
        assertThat(first.shares())
                .containsExactly(share("/home/u/venv/bin/python", 4242, 19876), share("ray::train", 5151, 3100));
        assertThat(said(NVIDIA).get(0))
                .contains("listing-full", "listing-holder", "listing-see-holders", "listing-other-device")
                .doesNotContain("listing-find-hidden");
        assertThat(commands(NVIDIA).get(0))
                .contains("ps -o pid,user,lstart,args -p 4242,5151", "CUDA_VISIBLE_DEVICES=1");
        assertThat(said(NVIDIA).get(1)).contains("listing-room", "listing-idle", "listing-while-it-fails");
    }

    @Test
    void npu_smi_with_memory_in_use_and_no_process_says_that_nobody_is_seen() {
        List<MemoryListing> listings = OomLogReader.read(NPU).listings();
        assertThat(listings).extracting(MemoryListing::kind).containsOnly(Kind.NPU_SMI);
        assertThat(listings.get(0).usedBytes()).hasValue(62915 * MIB);
        assertThat(said(NPU).get(0)).contains("listing-full", "listing-unseen", "listing-find-hidden");
        assertThat(commands(NPU).get(0)).contains("sudo fuser -v /dev/davinci*", "ASCEND_RT_VISIBLE_DEVICES=1");
    }

    @Test
    void a_process_that_windows_tells_nothing_of_is_no_holder() {
        String windows = NVIDIA.replace("19876MiB |", "     N/A |")
                .replace("3100MiB |", "    N/A |")
                .replace("/home/u/venv/bin/python", "C:\\Python\\python.exe  ");
        assertThat(said(windows).get(0))
                .contains("listing-untold")
                .doesNotContain("listing-holder", "listing-find-hidden");
        assertThat(commands(windows).get(0)).contains("tasklist");
    }

    @Test
    void memory_summary_tells_of_the_gap_and_of_what_of_it_is_split() {
        MemoryListing listing = OomLogReader.read(SUMMARY).listings().get(0);
        assertThat(listing.amount(Quantity.RESERVED)).hasValue(10240 * MIB);
        assertThat(listing.amount(Quantity.ALLOCATED)).hasValue(6144 * MIB);
        assertThat(listing.amount(Quantity.SPLIT)).hasValue(3800 * MIB);
        assertThat(said(SUMMARY).get(0)).contains("listing-gap", "listing-split", "listing-retries", "listing-unsplit");
        String tight = SUMMARY.replace("10240 MiB |  10240", " 6400 MiB |  10240");
        assertThat(said(tight).get(0))
                .contains("listing-tight", "listing-need-less")
                .doesNotContain("listing-unsplit");
        String idle = tight.replace("6144 MiB |   9001", "1024   B |   9001").replace(" 6400 MiB", " 2048 KiB");
        assertThat(said(idle).get(0)).contains("listing-tight").doesNotContain("listing-need-less");
        String cached = SUMMARY.replace("3800 MiB |   3900", "  80 MiB |   3900");
        assertThat(said(cached).get(0)).contains("listing-cached");
    }

    @Test
    void a_table_is_no_report_and_a_log_that_happens_to_print_one_is_not_about_it() {
        assertThat(OomLogReader.read(NVIDIA + NPU + SUMMARY).reports()).isEmpty();
        String training = NVIDIA + "step 1 loss 2.0\n".repeat(200);
        assertThat(OomLogReader.read(training).listings()).isEmpty();
    }

    @Test
    void beside_a_failure_a_table_goes_with_the_nearest_report() {
        OomLog log = OomLogReader.read("RuntimeError: CUDA error: out of memory\n" + NVIDIA);
        assertThat(log.listings()).isEmpty();
        assertThat(log.reports().get(0).listings()).hasSize(2);
    }

    @Test
    void the_chunks_and_bins_of_a_best_fit_allocator_are_listed_largest_first() {
        String dump = """
                2026-01-05 10:11:12.1: W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op
                2026-01-05 10:11:12.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1049] Bin (256): 	Total Chunks: 20, Chunks in use: 18. 5.0KiB allocated for chunks. 4.5KiB in use in bin. 2.2KiB client-requested in use in bin.
                2026-01-05 10:11:12.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1049] Bin (268435456): 	Total Chunks: 3, Chunks in use: 2. 6.00GiB allocated for chunks. 4.00GiB in use in bin. 4.00GiB client-requested in use in bin.
                2026-01-05 10:11:12.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1096] 18 Chunks of size 256 totalling 4.5KiB
                2026-01-05 10:11:12.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1096] 2 Chunks of size 2147483648 totalling 4.00GiB
                2026-01-05 10:11:12.1: I external/xla/xla/tsl/framework/bfc_allocator.cc:1100] Sum Total of in-use chunks: 4.00GiB
                """;
        List<MemoryListing> listings = OomLogReader.read(dump).reports().get(0).listings();
        assertThat(listings).extracting(MemoryListing::kind).containsExactly(Kind.BINS, Kind.CHUNKS);
        assertThat(listings.get(0).shares().get(0).bytes()).hasValue(6L << 30);
        assertThat(listings.get(0).shares().get(0).usedBytes()).hasValue(4L << 30);
        assertThat(listings.get(1).shares().get(0).name()).startsWith("2 × ");
        assertThat(listings.get(1).shares().get(0).bytes()).hasValue(4L << 30);
    }

    @Test
    void onnx_runtimes_dump_is_listed_too() {
        String dump = """
                2026-01-05 10:11:12.1 [I:onnxruntime:, bfc_arena.cc:280 DumpMemoryLog] Bin size: Chunks in_use/total (if not zero). Allocated bytes in_use/total. Requested bytes.
                2026-01-05 10:11:12.1 [I:onnxruntime:, bfc_arena.cc:296 DumpMemoryLog] 256: Chunks 3/5. Bytes 768/1280. Requested 300.
                2026-01-05 10:11:12.1 [I:onnxruntime:, bfc_arena.cc:296 DumpMemoryLog] 268435456: Chunks 2/2. Bytes 4294967296/4294967296. Requested 4294967296.
                Failed to allocate memory for requested buffer of size 8589934592
                """;
        MemoryListing bins = OomLogReader.read(dump).reports().get(0).listings().get(0);
        assertThat(bins.kind()).isEqualTo(Kind.BINS);
        assertThat(bins.listedBytes()).isEqualTo(4294967296L + 1280);
    }

    @Test
    void a_compiled_programs_needs_and_its_largest_buffers_are_listed() {
        String tpu = """
                jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.50G of 15.75G hbm. Exceeded hbm capacity by 2.75G.

                Total hbm usage >= 19.00G:
                    reserved        512.00M
                    program          16.50G
                    arguments         2.00G

                  Largest program allocations in hbm:

                  1. Size: 4.00G
                     Operator: op_name="jit(step)/dot_general"
                     Shape: bf16[8192,262144]{1,0:T(8,128)}
                     Unpadded size: 4.00G
                     Allocation type: HLO temp
                     ==========================

                  2. Size: 1.50G
                     Shape: f32[1024,393216]{1,0}
                     Allocation type: HLO temp
                     ==========================
                """;
        List<MemoryListing> listings = OomLogReader.read(tpu).reports().get(0).listings();
        assertThat(listings).extracting(MemoryListing::kind).containsExactly(Kind.PROGRAM, Kind.BUFFERS);
        assertThat(listings.get(0).shares())
                .extracting(Share::name)
                .containsExactly("program", "arguments", "reserved");
        assertThat(listings.get(1).shares().get(0).name()).isEqualTo("bf16[8192,262144] jit(step)/dot_general");
        assertThat(listings.get(1).shares())
                .extracting(Share::bytes)
                .containsExactly(OptionalLong.of(4L << 30), OptionalLong.of(3L << 29));
    }

    private static Share share(String name, long pid, long mib) {
        return new Share(name, OptionalLong.of(pid), OptionalLong.of(mib * MIB), OptionalLong.empty());
    }

    private static List<List<String>> said(String text) {
        return verdicts(text).stream()
                .map(v -> java.util.stream.Stream.concat(
                                v.findings().stream().map(f -> f.id()),
                                v.next().stream().map(r -> r.id()))
                        .toList())
                .toList();
    }

    private static List<List<String>> commands(String text) {
        return verdicts(text).stream()
                .map(v -> v.next().stream().flatMap(r -> r.command().stream()).toList())
                .toList();
    }

    private static List<ListingVerdict> verdicts(String text) {
        List<ListingVerdict> verdicts = new Diagnoser().listings(OomLogReader.read(text));
        for (Locale locale : List.of(Locale.ENGLISH, Locale.SIMPLIFIED_CHINESE)) {
            Map<Boolean, List<String>> words = verdicts.stream()
                    .flatMap(v -> java.util.stream.Stream.concat(
                            v.findings().stream().map(f -> DiagnosisText.render(locale, f.explanation())),
                            v.next().stream()
                                    .map(r -> DiagnosisText.render(locale, r.title())
                                            + DiagnosisText.render(locale, r.why()))))
                    .collect(Collectors.partitioningBy(sentence -> sentence.contains("{")));
            assertThat(words.get(true)).isEmpty();
        }
        return verdicts;
    }
}
