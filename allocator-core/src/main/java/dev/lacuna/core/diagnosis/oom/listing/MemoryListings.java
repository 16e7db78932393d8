package dev.lacuna.core.diagnosis.oom.listing;

import dev.lacuna.core.diagnosis.oom.model.MemoryListing;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All tables of memory that a log holds, and which report each goes with. Bounded, whatever the log prints. */
public final class MemoryListings {
    /** Tables that are shown beside one report. */
    private static final int MOST_BESIDE = 4;

    /** Lines between a report and a table that goes with it: dumps of allocators are long. */
    private static final long REACH = 5_000;

    private final List<ListingReader> readers =
            List.of(new DeviceToolReader(), new SummaryReader(), new BestFitReader(), new CompiledProgramReader());

    private long listed;
    private long written;

    /** Looks at a line of the log. */
    public void see(String line, long number) {
        if (line.isBlank()) {
            return;
        }
        boolean ofTable = frames(line);
        for (ListingReader reader : readers) {
            ofTable |= reader.take(line, number);
        }
        written++;
        listed += ofTable ? 1 : 0;
    }

    /** Rulers and rows of tables that are drawn with signs. */
    private static boolean frames(String line) {
        char first = line.stripLeading().charAt(0);
        return first == '|' || first == '+';
    }

    /** The tables of a log that is made of them, in its order: of one that only happens to print some there is nothing to say. */
    public List<MemoryListing> alone() {
        return 2 * listed >= written ? all() : List.of();
    }

    /** The report with the tables that stand nearest to it of all reports. */
    public List<OomReport> beside(List<OomReport> reports) {
        List<MemoryListing> all = all().stream()
                .filter(listing -> listing.kind() != MemoryListing.Kind.MEMORY_SUMMARY)
                .toList();
        if (all.isEmpty() || reports.isEmpty()) {
            return reports;
        }
        List<List<MemoryListing>> of = new ArrayList<>();
        reports.forEach(report -> of.add(new ArrayList<>()));
        for (MemoryListing listing : all) {
            int nearest = 0;
            for (int i = 1; i < reports.size(); i++) {
                if (distance(reports.get(i), listing) < distance(reports.get(nearest), listing)) {
                    nearest = i;
                }
            }
            if (distance(reports.get(nearest), listing) <= REACH
                    && of.get(nearest).size() < MOST_BESIDE) {
                of.get(nearest).add(listing);
            }
        }
        List<OomReport> out = new ArrayList<>();
        for (int i = 0; i < reports.size(); i++) {
            out.add(of.get(i).isEmpty() ? reports.get(i) : reports.get(i).listing(of.get(i)));
        }
        return out;
    }

    private static long distance(OomReport report, MemoryListing listing) {
        return Math.abs(report.span().line() - listing.line());
    }

    private List<MemoryListing> all() {
        return readers.stream()
                .flatMap(reader -> reader.found().stream())
                .sorted(Comparator.comparingLong(MemoryListing::line))
                .toList();
    }
}
