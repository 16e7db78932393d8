package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.List;
import java.util.Random;

/** Messages with pieces deleted, doubled, swapped, cut and replaced: what pastes, terminals and bad disks do to them. */
final class MutatedLogs {
    private static final String ALPHABET = "0123456789.;:()[]{}\\\"' \n\r\t\u001b\u0000GiBMKbytes<>&%|";

    private static final List<String> SEEDS = List.of(
            "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of"
                    + " 79.11 GiB of which 1.20 GiB is free. Process 42 has 17179869184.00 GiB memory in use. 50.00 GiB"
                    + " allowed; Of the allocated memory 70.00 GiB is allocated by PyTorch, with 1.00 GiB allocated in private"
                    + " pools (e.g., CUDA Graphs), and 3.00 GiB is reserved by PyTorch but unallocated.\n",
            "RuntimeError: NPU out of memory. Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB"
                    + " already allocated; 53.87 GiB current activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)\n",
            "{\"log\":\"{\\\"message\\\":\\\"CUDA error: out of memory\\\"}\\n\",\"stream\":\"stderr\"}\n",
            "Memory_Allocation_Failure(EL0004): Failed to allocate memory.\n TraceBack\n Call rtMalloc fail, type = 2,"
                    + " size:3221291008, device_id:0[FUNC:Alloc]\n",
            "MPS backend out of memory (MPS allocated: 1.00 GB, other allocations: 1.00 KB, max allowed: 9.07 GB). Tried to"
                    + " allocate 256 bytes on shared pool.\nlimit: 12 inuse: 3\nfailed to allocate 1G (2 bytes) from device:\n",
            "3: Out of memory error on GPU 0. Cannot allocate 98.000244MB memory on GPU 0, 6.0GB memory has been allocated"
                    + " and available memory is only 0.0B.\n4: PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128,a:[1:2,>:3]\n",
            "memory (MB) | allocated: 40123.5 | max allocated: 61234.5 | reserved: 62000.0\nFree memory on device cuda:0"
                    + " (7.34/139.72 GiB) on startup is less than desired GPU memory utilization (0.9, 125.75 GiB)\n");

    private MutatedLogs() {}

    /** The next one. */
    static String next(Random random) {
        StringBuilder log = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
        if (random.nextInt(4) == 0) {
            log.append(SEEDS.get(random.nextInt(SEEDS.size())));
        }
        for (int n = random.nextInt(12); n >= 0; n--) {
            mutate(log, random);
        }
        return log.toString();
    }

    private static void mutate(StringBuilder log, Random random) {
        int at = random.nextInt(log.length() + 1);
        int to = Math.min(log.length(), at + random.nextInt(24));
        switch (random.nextInt(5)) {
            case 0 -> log.delete(at, to);
            case 1 -> log.insert(at, log.substring(at, to));
            case 2 -> log.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            case 3 -> log.insert(at, (char) random.nextInt(0x10000));
            default -> log.insert(random.nextInt(log.length() + 1), SEEDS.get(random.nextInt(SEEDS.size())), 0, 20);
        }
    }

    /** Reads so many in a process of its own, whose heap bounds what reading may take. */
    public static void main(String[] arguments) {
        Random random = new Random(42);
        for (long n = Long.parseLong(arguments[0]); n > 0; n--) {
            read(next(random));
        }
    }

    /** Reads one; every report has to be printable. */
    static void read(String log) {
        for (OomReport report : OomLogReader.read(log).reports()) {
            if (report.text().isEmpty() || report.span().end() < report.span().start()) {
                throw new AssertionError("a report without text in: " + log);
            }
        }
    }
}
