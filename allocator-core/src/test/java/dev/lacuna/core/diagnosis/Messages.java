package dev.lacuna.core.diagnosis;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.Locale;

/** Builds messages with given figures, in GiB, the way frameworks print them. */
public final class Messages {
    /** The example that started this project. */
    public static final String SEED =
            "Tried to allocated 3384.00 MiB (NPU 2; 61.22 GiB total capacity; 53.87 GiB already allocated; 53.87 GiB current"
                    + " activate; 1.59 GiB free; 56.60 GiB reserved in total by PyTorch)";

    private Messages() {}

    /** torch_npu. */
    static String npu(double tried, double total, double allocated, double free, double reserved) {
        return parentheses("NPU", "NPU", tried, total, allocated, free, "", reserved);
    }

    /** PyTorch before 2.1, without advice. */
    static String cudaOld(double tried, double total, double allocated, double free, double reserved) {
        return parentheses("CUDA", "GPU", tried, total, allocated, free, "", reserved);
    }

    /** PyTorch before 2.1 with a memory fraction. */
    static String cudaOldCapped(
            double tried, double total, double allocated, double free, double allowed, double reserved) {
        return parentheses(
                "CUDA",
                "GPU",
                tried,
                total,
                allocated,
                free,
                String.format(Locale.ROOT, "%.2f GiB allowed; ", allowed),
                reserved);
    }

    /** PyTorch 2.2 and later. */
    static String cuda(double tried, double total, double allocated, double free, double reserved) {
        return String.format(
                Locale.ROOT,
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %.2f GiB. GPU 0 has a total capacity of %.2f GiB"
                        + " of which %.2f GiB is free. Of the allocated memory %.2f GiB is allocated by PyTorch, and %.2f GiB"
                        + " is reserved by PyTorch but unallocated.",
                tried,
                total,
                free,
                allocated,
                reserved - allocated);
    }

    /** Lacuna on its virtual device. */
    static String lacuna(double tried, double total, double allocated, double free, double reserved, String switched) {
        return parentheses("Lacuna", "virtual", tried, total, allocated, free, "", reserved)
                + " gap 0 bytes: 0 bytes releasable, 0 bytes split, 0 bytes pending. Optimisation " + switched + ".";
    }

    /** The only report of this log. */
    static OomReport report(String log) {
        var reports = OomLogReader.read(log).reports();
        if (reports.size() != 1) {
            throw new AssertionError("expected one report, found " + reports.size() + " in " + log);
        }
        return reports.get(0);
    }

    private static String parentheses(
            String speaker,
            String device,
            double tried,
            double total,
            double allocated,
            double free,
            String cap,
            double reserved) {
        return String.format(
                Locale.ROOT,
                "%s out of memory. Tried to allocate %.2f GiB (%s 0; %.2f GiB total capacity; %.2f GiB already allocated; %.2f"
                        + " GiB free; %s%.2f GiB reserved in total by PyTorch)",
                speaker,
                tried,
                device,
                total,
                allocated,
                free,
                cap,
                reserved);
    }
}
