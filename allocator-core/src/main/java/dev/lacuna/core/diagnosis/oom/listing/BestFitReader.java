package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Kind;
import dev.lacuna.core.diagnosis.oom.model.MemoryListing.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the best-fit allocators of TensorFlow, JAX and ONNX Runtime write down when they fail: their bins, and their chunks in use by
 * size.
 */
final class BestFitReader implements ListingReader {
    private static final int MOST = 16;
    private static final String NUMBER = "([\\d.]+)\\s?([KMGT]?i?B)";
    private static final Pattern BIN =
            Pattern.compile("Bin \\((\\d{1,18})\\):\\s+Total Chunks: \\d+, Chunks in use: \\d+\\.?\\s+" + NUMBER
                    + " allocated for chunks\\.\\s+" + NUMBER + " in use in bin");
    private static final Pattern BARE_BIN =
            Pattern.compile("\\b(\\d{1,18}): Chunks \\d+/\\d+\\. Bytes (\\d{1,18})/(\\d{1,18})\\.");
    private static final Pattern CHUNKS = Pattern.compile("\\b(\\d{1,9}) Chunks of size (\\d{1,15})\\b");

    private final List<ListingDraft> found = new ArrayList<>();

    /** Size of the row before: a dump lists sizes upwards, so that a smaller one begins another. */
    private long last;

    @Override
    public boolean take(String line, long number) {
        if (!line.contains("hunks")) {
            return false;
        }
        Matcher chunks = CHUNKS.matcher(line);
        if (chunks.find()) {
            long each = Long.parseLong(chunks.group(2));
            long count = Long.parseLong(chunks.group(1));
            if (each == 0 || count > Long.MAX_VALUE / each) {
                return false;
            }
            add(Kind.CHUNKS, number, each, count + " × " + ByteSize.format(each), count * each, OptionalLong.empty());
            return true;
        }
        Matcher bin = BIN.matcher(line);
        if (bin.find()) {
            OptionalLong held = ListingDraft.size(bin.group(2), bin.group(3));
            bin(number, bin.group(1), held.orElse(0), ListingDraft.size(bin.group(4), bin.group(5)));
            return true;
        }
        Matcher bare = BARE_BIN.matcher(line);
        if (bare.find()) {
            bin(number, bare.group(1), Long.parseLong(bare.group(3)), OptionalLong.of(Long.parseLong(bare.group(2))));
            return true;
        }
        return line.contains("Sum Total of in-use chunks") || line.contains("Summary of in-use Chunks");
    }

    private void bin(long number, String from, long held, OptionalLong used) {
        long each = Long.parseLong(from);
        add(Kind.BINS, number, each, "≥ " + ByteSize.format(each), held, used);
    }

    private void add(Kind kind, long number, long each, String name, long bytes, OptionalLong used) {
        ListingDraft now = found.isEmpty() ? null : found.get(found.size() - 1);
        if (now == null || now.kind() != kind || each <= last) {
            if (found.size() == MOST) {
                return;
            }
            now = new ListingDraft(kind, number, "");
            found.add(now);
        }
        last = each;
        if (bytes > 0) {
            now.share(new Share(name, OptionalLong.empty(), OptionalLong.of(bytes), used));
        }
    }

    @Override
    public List<MemoryListing> found() {
        return found.stream()
                .filter(ListingDraft::lists)
                .map(ListingDraft::build)
                .toList();
    }
}
