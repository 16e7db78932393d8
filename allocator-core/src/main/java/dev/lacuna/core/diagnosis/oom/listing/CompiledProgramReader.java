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

/** What XLA's compiler tells of a program that does not fit: what it needs by purpose, and its largest buffers. */
final class CompiledProgramReader implements ListingReader {
    private static final int MOST = 16;

    /** Lines without a word of the table after which it is over. */
    private static final int QUIET = 8;

    private static final Pattern HEAD = Pattern.compile(
            "Largest program allocations in \\w+|Peak buffers:|BufferAssignment stats:|Total \\w+ usage >?=");
    private static final String SIZE = "([\\d.]+)\\s?([KMGT]?(?:i?B)?)";
    private static final Pattern BUFFER_SIZE = Pattern.compile("^\\W*(?:\\d+\\.\\s+)?Size: " + SIZE + "(?:$|[\\s(])");
    private static final Pattern PURPOSE =
            Pattern.compile("^\\s*([a-z_]+(?: temp)?) (?:allocation|fragmentation):\\s+" + SIZE);
    private static final Pattern PART = Pattern.compile("^\\s+(reserved|program|arguments)\\s+" + SIZE + "\\s*$");
    private static final Pattern TOTAL = Pattern.compile("Total \\w+ usage >?=+ " + SIZE);
    private static final Pattern OPERATOR = Pattern.compile("Operator: .*op_name=\"([^\"]{1,200})\"");
    private static final Pattern SHAPE = Pattern.compile("Shape: (\\S{1,80})");

    private final List<ListingDraft> found = new ArrayList<>();
    private boolean open;
    private int quiet;
    private OptionalLong size = OptionalLong.empty();
    private String operator = "";
    private String shape = "";

    @Override
    public boolean take(String line, long number) {
        Matcher head = HEAD.matcher(line);
        if (mayBegin(line) && head.find()) {
            begin(head.group(), line, number);
            return open;
        }
        if (!open) {
            return false;
        }
        if (row(line)) {
            quiet = 0;
            return true;
        }
        if (++quiet > QUIET) {
            finishBuffer();
            open = false;
        }
        return open && line.contains("====");
    }

    /** The cheap test that nearly all lines fail. */
    private static boolean mayBegin(String line) {
        return line.contains("program allocations in")
                || line.contains("Peak buffers:")
                || line.contains("BufferAssignment stats:")
                || line.contains(" usage >");
    }

    private void begin(String head, String line, long number) {
        finishBuffer();
        open = found.size() < MOST;
        quiet = 0;
        if (!open) {
            return;
        }
        boolean buffers = head.startsWith("Largest") || head.startsWith("Peak");
        ListingDraft draft = new ListingDraft(buffers ? Kind.BUFFERS : Kind.PROGRAM, number, "");
        Matcher total = TOTAL.matcher(line);
        if (total.find()) {
            draft.amount(Quantity.TRIED, ListingDraft.size(total.group(1), total.group(2)));
        }
        found.add(draft);
    }

    private boolean row(String line) {
        return last().kind() == Kind.BUFFERS ? buffer(line) : part(line, PURPOSE) || part(line, PART);
    }

    private boolean part(String line, Pattern pattern) {
        Matcher part = pattern.matcher(line);
        if (!part.find()) {
            return false;
        }
        OptionalLong bytes = ListingDraft.size(part.group(2), part.group(3));
        if (part.group(1).equals("total")) {
            if (!last().tells(Quantity.TRIED)) {
                last().amount(Quantity.TRIED, bytes);
            }
        } else if (bytes.orElse(0) > 0) {
            last().share(new Share(part.group(1).replace('_', ' '), OptionalLong.empty(), bytes, OptionalLong.empty()));
        }
        return true;
    }

    private boolean buffer(String line) {
        Matcher sized = BUFFER_SIZE.matcher(line);
        if (sized.find()) {
            finishBuffer();
            size = ListingDraft.size(sized.group(1), sized.group(2));
            return true;
        }
        Matcher named = OPERATOR.matcher(line);
        if (named.find()) {
            operator = named.group(1);
            return true;
        }
        Matcher shaped = SHAPE.matcher(line);
        if (shaped.find()) {
            shape = shaped.group(1).replaceFirst("\\{.*", "");
            return true;
        }
        return line.matches(
                "\\s*(?:Buffer \\d+:|XLA Label: .*|Allocation type: .*|Entry Parameter .*|Unpadded size: .*|=+)\\s*");
    }

    private void finishBuffer() {
        if (size.isPresent()) {
            String name = String.join(" ", List.of(shape, operator)).strip();
            last().share(new Share(name.isEmpty() ? "–" : name, OptionalLong.empty(), size, OptionalLong.empty()));
        }
        size = OptionalLong.empty();
        operator = "";
        shape = "";
    }

    private ListingDraft last() {
        return found.get(found.size() - 1);
    }

    @Override
    public List<MemoryListing> found() {
        finishBuffer();
        return found.stream()
                .filter(ListingDraft::lists)
                .map(ListingDraft::build)
                .toList();
    }
}
