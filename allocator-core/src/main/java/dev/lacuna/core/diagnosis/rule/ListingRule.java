package dev.lacuna.core.diagnosis.rule;

import dev.lacuna.core.diagnosis.model.Finding;
import dev.lacuna.core.diagnosis.model.ListingVerdict;
import dev.lacuna.core.diagnosis.model.Remedy;
import dev.lacuna.core.diagnosis.model.Text;
import dev.lacuna.core.diagnosis.model.Thresholds;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What a table of memory that stands alone says, and what to do next. It is no failure, so nobody is told a cause. */
public final class ListingRule {
    /** Of a device with less than this share free little more can be asked for. */
    private static final int TENTH = 10;

    /** Processes that a command names. */
    private static final int MOST_PIDS = 8;

    private ListingRule() {}

    /** A verdict on each table, in their order. */
    public static List<ListingVerdict> judge(List<MemoryListing> listings, Thresholds thresholds) {
        return listings.stream()
                .map(listing -> judge(listing, listings, thresholds))
                .toList();
    }

    private static ListingVerdict judge(MemoryListing listing, List<MemoryListing> all, Thresholds thresholds) {
        if (listing.kind().ofDevice()) {
            return device(listing, all, thresholds);
        }
        if (listing.kind() == MemoryListing.Kind.MEMORY_SUMMARY) {
            return pool(listing, thresholds);
        }
        Optional<Share> largest = listing.shares().stream().findFirst();
        List<Finding> findings = largest
                .map(share -> finding(
                        "largest",
                        Text.word(share.name()),
                        Text.size(share.bytes().orElse(0)),
                        Text.size(listing.listedBytes())))
                .stream()
                .toList();
        return new ListingVerdict(listing, findings);
    }

    // ---------------------------------------------------------------- drivers' tools

    private static ListingVerdict device(MemoryListing listing, List<MemoryListing> all, Thresholds thresholds) {
        long total = listing.amount(Quantity.TOTAL).orElseThrow();
        long free = listing.amount(Quantity.FREE).orElseThrow();
        long used = total - free;
        List<Finding> findings = new ArrayList<>();
        List<Remedy> next = new ArrayList<>();
        findings.add(finding(
                free < total / TENTH ? "full" : "room",
                Text.word(listing.device()),
                Text.size(free),
                Text.size(total)));
        boolean listed =
                listing.shares().stream().anyMatch(share -> share.bytes().isPresent());
        long unlisted = used - listing.listedBytes();
        if (used <= thresholds.othersBytes()) {
            findings.add(finding("idle"));
            next.add(step("while-it-fails", Optional.empty()));
        } else if (listed) {
            Share largest = listing.shares().get(0);
            findings.add(finding(
                    "holder",
                    Text.word(largest.name()),
                    Text.word(Long.toString(largest.pid().orElse(0))),
                    Text.size(largest.bytes().orElse(0)),
                    Text.size(used)));
            if (unlisted > thresholds.othersBytes()) {
                findings.add(finding("unlisted", Text.size(unlisted)));
            }
        } else {
            findings.add(finding(listing.shares().isEmpty() ? "unseen" : "untold", Text.size(used)));
        }
        if (used > thresholds.othersBytes()) {
            steps(listing, all, listed && unlisted <= thresholds.othersBytes(), next);
        }
        findings.set(0, findings.get(0).advising(next));
        return new ListingVerdict(listing, findings);
    }

    private static void steps(MemoryListing listing, List<MemoryListing> all, boolean known, List<Remedy> next) {
        boolean nvidia = listing.kind() == MemoryListing.Kind.NVIDIA_SMI;
        boolean windows = listing.shares().stream()
                .anyMatch(share -> share.name().contains("\\") || share.name().endsWith(".exe"));
        String pids = listing.shares().stream()
                .map(Share::pid)
                .filter(OptionalLong::isPresent)
                .limit(MOST_PIDS)
                .map(pid -> Long.toString(pid.getAsLong()))
                .distinct()
                .collect(Collectors.joining(","));
        if (!pids.isEmpty()) {
            String command = windows ? "tasklist" : "ps -o pid,user,lstart,args -p " + pids;
            next.add(step("see-holders", Optional.of(command)));
        }
        if (!known && !windows) {
            next.add(step("find-hidden", Optional.of("sudo fuser -v /dev/" + (nvidia ? "nvidia*" : "davinci*"))));
        }
        emptier(listing, all).ifPresent(other -> next.add(use(other)));
    }

    private static Remedy use(MemoryListing other) {
        boolean nvidia = other.kind() == MemoryListing.Kind.NVIDIA_SMI;
        return step(
                "other-device",
                Optional.of((nvidia ? "CUDA_VISIBLE_DEVICES=" : "ASCEND_RT_VISIBLE_DEVICES=")
                        + other.device().replaceAll("\\D+", " ").strip().split(" ")[0]),
                Text.word(other.device()),
                Text.size(other.amount(Quantity.FREE).orElse(0)));
    }

    /** Beside a failure: the device to go to, where the table shows one that is full and another that is nearly empty. */
    public static Optional<Remedy> emptierDevice(List<MemoryListing> beside) {
        List<MemoryListing> devices =
                beside.stream().filter(listing -> listing.kind().ofDevice()).toList();
        return devices.stream()
                .filter(device -> device.amount(Quantity.FREE).orElse(Long.MAX_VALUE)
                        < device.amount(Quantity.TOTAL).orElse(0) / TENTH)
                .findFirst()
                .flatMap(full -> emptier(full, devices))
                .filter(other -> other.amount(Quantity.FREE).orElse(0)
                        > other.amount(Quantity.TOTAL).orElse(Long.MAX_VALUE) / 2)
                .map(ListingRule::use);
    }

    /** The device of the same tool with most free, where that is twice as much as here. A chip has no number of its own that is sure. */
    private static Optional<MemoryListing> emptier(MemoryListing listing, List<MemoryListing> all) {
        return all.stream()
                .filter(other -> other.kind() == listing.kind() && other != listing)
                .filter(other -> !other.device().contains("chip"))
                .max(Comparator.comparingLong(
                        other -> other.amount(Quantity.FREE).orElse(0)))
                .filter(other -> other.amount(Quantity.FREE).orElse(0) / 2
                        > listing.amount(Quantity.FREE).orElse(0));
    }

    // ---------------------------------------------------------------- PyTorch's table

    private static ListingVerdict pool(MemoryListing listing, Thresholds thresholds) {
        long allocated = listing.amount(Quantity.ALLOCATED).orElseThrow();
        long reserved = listing.amount(Quantity.RESERVED).orElseThrow();
        long gap = Math.max(0, reserved - allocated);
        OptionalLong split = listing.amount(Quantity.SPLIT);
        List<Finding> findings = new ArrayList<>();
        findings.add(finding(
                gap > thresholds.gapBytes() ? "gap" : "tight",
                Text.size(reserved),
                Text.size(allocated),
                Text.size(gap),
                Text.size(thresholds.gapBytes())));
        split.ifPresent(bytes -> findings.add(finding("split", Text.size(bytes), Text.size(gap))));
        long retries = listing.counts().getOrDefault("retries", 0L);
        if (retries > 0) {
            findings.add(finding("retries", Text.count(retries)));
        }
        List<Remedy> next = new ArrayList<>();
        if (gap <= thresholds.gapBytes()) {
            if (reserved > thresholds.othersBytes()) {
                next.add(step("need-less", Optional.empty()));
            }
        } else if (split.orElse(gap) > gap / 2) {
            boolean npu = listing.device().startsWith("NPU");
            next.add(step(
                    "unsplit",
                    Optional.of((npu ? "PYTORCH_NPU_ALLOC_CONF" : "PYTORCH_CUDA_ALLOC_CONF")
                            + "=expandable_segments:True")));
            next.add(step("look-inside", Optional.of("lacuna snapshot FILE")));
        } else {
            next.add(step("cached", Optional.empty()));
        }
        findings.set(0, findings.get(0).advising(next));
        return new ListingVerdict(listing, findings);
    }

    private static Finding finding(String id, Text.Argument... arguments) {
        return Finding.of("listing-" + id, Text.of("listing." + id, arguments));
    }

    private static Remedy step(String id, Optional<String> command, Text.Argument... arguments) {
        String key = "listing-" + id;
        return new Remedy(
                key,
                Remedy.titleOf(key, arguments),
                command,
                Remedy.whyOf(key, arguments),
                new Remedy.LiveAction.None(),
                OptionalLong.empty());
    }
}
