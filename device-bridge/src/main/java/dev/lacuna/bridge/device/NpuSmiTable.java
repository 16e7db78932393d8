package dev.lacuna.bridge.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code npu-smi info} prints: two rows a chip, then a table of processes. Where a card has several chips, the second row tells
 * a chip's own number; else the chips are counted.
 */
final class NpuSmiTable {
    private static final long MIB = 1L << 20;
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})(?:\\s+(\\d{1,4}))?");
    private static final Pattern NAMED = Pattern.compile("(\\d{1,4})\\s+(\\S.*)");
    private static final Pattern BUS = Pattern.compile("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:\\S+");
    private static final Pattern OF_TOTAL = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{1,9})");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");

    private final Map<String, Chip> chips = new LinkedHashMap<>();
    private String card = "";
    private String name = "";

    private record Chip(int index, String name, long total, long used, List<DeviceHolder> holders) {}

    private NpuSmiTable() {}

    /** The chips, by index; empty where the text is none of these tables. */
    static List<DeviceFacts> read(String text) {
        NpuSmiTable table = new NpuSmiTable();
        text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("|"))
                .map(line -> line.substring(1).split("\\|"))
                .forEach(table::row);
        return table.chips.values().stream()
                .map(chip -> new DeviceFacts(
                        chip.index(),
                        chip.name(),
                        chip.total() * MIB,
                        Math.max(0, chip.total() - chip.used()) * MIB,
                        chip.holders()))
                .toList();
    }

    private void row(String[] cells) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].strip();
        }
        if (cells.length < 3) {
            return;
        }
        Matcher named = NAMED.matcher(cells[0]);
        Matcher numbers = NUMBERS.matcher(cells[0]);
        if (numbers.matches() && BUS.matcher(cells[1]).matches()) {
            chip(numbers, cells[2]);
        } else if (numbers.matches()
                && numbers.group(2) != null
                && NUMBER.matcher(cells[1]).matches()) {
            process(numbers, cells);
        } else if (named.matches()) {
            card = named.group(1);
            name = named.group(2).strip();
        }
    }

    /** The last figure with a total above 0 is the memory that tensors lie in: some chips have no other. */
    private void chip(Matcher numbers, String usage) {
        long used = 0;
        long total = 0;
        Matcher pair = OF_TOTAL.matcher(usage);
        while (pair.find()) {
            if (Long.parseLong(pair.group(2)) > 0) {
                used = Long.parseLong(pair.group(1));
                total = Long.parseLong(pair.group(2));
            }
        }
        int index = numbers.group(2) == null ? chips.size() : Integer.parseInt(numbers.group(2));
        chips.put(card + " " + numbers.group(1), new Chip(index, name, total, used, new ArrayList<>()));
    }

    private void process(Matcher numbers, String[] cells) {
        Chip chip = chips.get(numbers.group(1) + " " + numbers.group(2));
        if (chip != null && cells.length > 3) {
            boolean told = NUMBER.matcher(cells[3]).matches();
            chip.holders()
                    .add(new DeviceHolder(
                            Long.parseLong(cells[1]),
                            told ? OptionalLong.of(Long.parseLong(cells[3]) * MIB) : OptionalLong.empty()));
        }
    }
}
