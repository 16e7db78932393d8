package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Kind;
import dev.lacuna.core.diagnosis.oom.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code torch.cuda.memory_summary()}, torch_npu's and XPU's: what is in use now stands in the first column behind the names. */
final class SummaryReader implements ListingReader {
    private static final int MOST = 64;
    private static final Pattern HEAD = Pattern.compile("PyTorch (CUDA|NPU|XPU) memory summary, device ID (\\d{1,3})");
    private static final Pattern COUNTS = Pattern.compile("(OOMs|[mM]alloc retries): (\\d+)");
    private static final Pattern ROW = Pattern.compile(
            "\\|\\s*(Allocated|Active|(?:GPU |NPU |XPU )?[rR]eserved|Non-releasable) memory\\s*\\|\\s*([\\d.,]+)\\s*([KMGT]?i?B)\\b");

    private final List<ListingDraft> found = new ArrayList<>();

    @Override
    public boolean take(String line, long number) {
        if (line.indexOf('|') < 0) {
            return false;
        }
        Matcher head = HEAD.matcher(line);
        if (head.find() && found.size() < MOST) {
            String word = head.group(1).equals("NPU") ? "NPU " : "GPU ";
            found.add(new ListingDraft(Kind.MEMORY_SUMMARY, number, word + head.group(2)));
            return true;
        }
        return !found.isEmpty() && (counts(line) || row(line));
    }

    private boolean counts(String line) {
        Matcher counts = COUNTS.matcher(line);
        boolean any = false;
        while (counts.find()) {
            any = true;
            last().count(counts.group(1).equals("OOMs") ? "ooms" : "retries", counts.group(2));
        }
        return any;
    }

    private boolean row(String line) {
        Matcher row = ROW.matcher(line);
        if (!row.find()) {
            return line.contains("from large pool") || line.contains("from small pool");
        }
        Quantity quantity = switch (row.group(1).charAt(0)) {
            case 'A' -> row.group(1).equals("Active") ? Quantity.ACTIVE : Quantity.ALLOCATED;
            case 'N' -> row.group(1).startsWith("Non") ? Quantity.SPLIT : Quantity.RESERVED;
            default -> Quantity.RESERVED;
        };
        if (!last().tells(quantity)) {
            last().amount(quantity, ListingDraft.size(row.group(2), row.group(3)));
        }
        return true;
    }

    private ListingDraft last() {
        return found.get(found.size() - 1);
    }

    @Override
    public List<MemoryListing> found() {
        return found.stream()
                .filter(draft -> draft.tells(Quantity.ALLOCATED) && draft.tells(Quantity.RESERVED))
                .map(ListingDraft::build)
                .toList();
    }
}
