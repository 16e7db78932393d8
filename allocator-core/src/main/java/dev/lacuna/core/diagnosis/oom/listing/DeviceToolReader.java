package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Kind;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code nvidia-smi} and {@code npu-smi info}: each device has a line with its number, a line with its memory, and behind all of them a
 * line for each process.
 */
final class DeviceToolReader implements ListingReader {
    /** More devices than a machine has: of a log that repeats the table, the first tables are kept. */
    private static final int MOST_DEVICES = 64;

    private static final Pattern NVIDIA_DEVICE = Pattern.compile(
            "^\\W*\\|\\s+(\\d{1,3})\\s+\\S.*\\|\\s*[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.\\d");
    private static final Pattern NVIDIA_MEMORY =
            Pattern.compile("\\|\\s*(\\d{1,7})\\s?MiB\\s*/\\s*(\\d{1,7})\\s?MiB\\s*\\|");
    /** A part of a device (MIG): device, GPU instance, compute instance, number, memory. */
    private static final Pattern NVIDIA_PART = Pattern.compile(
            "^\\W*\\|\\s+(\\d{1,3})\\s+(\\d{1,3})\\s+(\\d{1,3})\\s+\\d{1,3}\\s*\\|\\s*(\\d{1,7})\\s?MiB\\s*/\\s*(\\d{1,7})\\s?MiB\\s*\\|");

    private static final Pattern NVIDIA_PROCESS =
            Pattern.compile("\\|\\s+(\\d{1,3})\\s+(?:(N/A|\\d+)\\s+(N/A|\\d+)\\s+)?"
                    + "(\\d{1,10})\\s+(?:[CGM]\\S{0,4}\\s+)?(\\S.*?)\\s+(?:(\\d{1,7})\\s?MiB|N/A)\\s*\\|");
    private static final Pattern NPU_DEVICE = Pattern.compile(
            "\\|\\s*(\\d{1,3})\\s+(\\S*\\d\\w*)\\s*\\|\\s*(?:OK|Warning|Alarm|Critical|UNKNOWN)\\s*\\|");
    private static final Pattern NPU_CHIP = Pattern.compile(
            "\\|\\s*(\\d{1,3})(?:\\s+\\d{1,3})?\\s*\\|\\s*(?:[0-9A-Fa-f]{4}:[0-9A-Fa-f.:]+|NA)\\s*\\|(.*)\\|");
    private static final Pattern PAIR = Pattern.compile("(\\d{1,7})\\s*/\\s*(\\d{1,7})");
    private static final Pattern NPU_PROCESS = Pattern.compile(
            "\\|\\s*(\\d{1,3})\\s+(\\d{1,3})\\s*\\|\\s*(\\d{1,10})\\s*\\|\\s*(.*?)\\s*\\|\\s*(\\d{1,7})\\s*\\|");

    private final List<ListingDraft> devices = new ArrayList<>();
    private String number = "";
    private Kind kind = Kind.NVIDIA_SMI;

    @Override
    public boolean take(String line, long at) {
        if (line.indexOf('|') < 0) {
            return false;
        }
        return part(line, at) || device(line) || memory(line, at) || process(line);
    }

    private boolean device(String line) {
        Matcher nvidia = NVIDIA_DEVICE.matcher(line);
        if (nvidia.find()) {
            kind = Kind.NVIDIA_SMI;
            number = nvidia.group(1);
            return true;
        }
        Matcher npu = NPU_DEVICE.matcher(line);
        if (npu.find()) {
            kind = Kind.NPU_SMI;
            number = npu.group(1);
            return true;
        }
        return false;
    }

    private boolean part(String line, long at) {
        Matcher m = NVIDIA_PART.matcher(line);
        if (!m.find()) {
            return false;
        }
        kind = Kind.NVIDIA_SMI;
        return add(part(m.group(1), m.group(2), m.group(3)), at, m.group(4), m.group(5));
    }

    private static String part(String gpu, String instance, String compute) {
        return "GPU " + gpu + " MIG " + instance + "/" + compute;
    }

    private boolean memory(String line, long at) {
        if (number.isEmpty()) {
            return false;
        }
        if (kind == Kind.NVIDIA_SMI) {
            Matcher m = NVIDIA_MEMORY.matcher(line);
            return m.find() && add("GPU " + number, at, m.group(1), m.group(2));
        }
        Matcher m = NPU_CHIP.matcher(line);
        if (!m.find()) {
            return false;
        }
        // Of a chip with memory of two kinds the last pair is that of its own.
        Matcher pair = PAIR.matcher(m.group(2));
        String used = "";
        String total = "";
        while (pair.find()) {
            if (!pair.group(2).equals("0")) {
                used = pair.group(1);
                total = pair.group(2);
            }
        }
        String chip = m.group(1).equals("0") ? "" : " chip " + m.group(1);
        return !total.isEmpty() && add("NPU " + number + chip, at, used, total);
    }

    private boolean add(String device, long at, String used, String total) {
        if (devices.size() < MOST_DEVICES) {
            ListingDraft draft = new ListingDraft(kind, at, device);
            long all = Long.parseLong(total) << 20;
            draft.amount(Quantity.TOTAL, OptionalLong.of(all));
            draft.amount(Quantity.FREE, OptionalLong.of(all - Math.min(all, Long.parseLong(used) << 20)));
            devices.add(draft);
        }
        // What follows without a device of its own is a part of one (MIG).
        number = "";
        return true;
    }

    private boolean process(String line) {
        if (devices.isEmpty()) {
            return false;
        }
        Matcher m = (kind == Kind.NVIDIA_SMI ? NVIDIA_PROCESS : NPU_PROCESS).matcher(line);
        if (!m.find()) {
            return line.contains("No running processes found") || line.contains("No running compute processes");
        }
        boolean nvidia = kind == Kind.NVIDIA_SMI;
        String chip = nvidia || m.group(2).equals("0") ? "" : " chip " + m.group(2);
        String device = (nvidia ? "GPU " : "NPU ") + m.group(1) + chip;
        String mib = m.group(nvidia ? 6 : 5);
        Share share = new Share(
                m.group(nvidia ? 5 : 4),
                OptionalLong.of(Long.parseLong(m.group(nvidia ? 4 : 3))),
                mib == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(mib) << 20),
                OptionalLong.empty());
        boolean ofPart = nvidia && m.group(2) != null && !m.group(2).equals("N/A");
        return ofPart && give(part(m.group(1), m.group(2), m.group(3)), share) || give(device, share);
    }

    private boolean give(String device, Share share) {
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (devices.get(i).device().equals(device)) {
                devices.get(i).share(share);
                return true;
            }
        }
        return false;
    }

    @Override
    public List<MemoryListing> found() {
        return devices.stream().map(ListingDraft::build).toList();
    }
}
