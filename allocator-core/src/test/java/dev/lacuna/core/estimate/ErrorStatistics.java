package dev.lacuna.core.estimate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Estimates beside measurements: median, worst, and who is off. */
final class ErrorStatistics {
    record Row(String name, double estimated, double measured) {
        double error() {
            return estimated / measured - 1;
        }
    }

    private final String title;
    private final List<Row> rows = new ArrayList<>();

    ErrorStatistics(String title) {
        this.title = title;
    }

    void add(String name, double estimated, double measured) {
        rows.add(new Row(name, estimated, measured));
    }

    int count() {
        return rows.size();
    }

    double median() {
        double[] errors =
                rows.stream().mapToDouble(r -> Math.abs(r.error())).sorted().toArray();
        int n = errors.length;
        return n == 0 ? 0 : (errors[(n - 1) / 2] + errors[n / 2]) / 2;
    }

    /** Median, quantiles, worst, and every row beyond the limit. */
    void print(double limit) {
        double[] errors =
                rows.stream().mapToDouble(r -> Math.abs(r.error())).sorted().toArray();
        int n = errors.length;
        if (n == 0) {
            return;
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d rows, median error %.1f %%, 90 %% within %.1f %%, worst %.1f %%%n",
                title,
                n,
                100 * median(),
                100 * errors[Math.min(n - 1, n * 9 / 10)],
                100 * errors[n - 1]);
        rows.stream()
                .filter(r -> Math.abs(r.error()) > limit)
                .sorted(Comparator.comparingDouble(r -> -Math.abs(r.error())))
                .forEach(r -> System.out.printf(
                        Locale.ROOT,
                        "  %+6.1f %%  estimated %8.0f MB, measured %8.0f MB  %s%n",
                        100 * r.error(),
                        r.estimated() / 1e6,
                        r.measured() / 1e6,
                        r.name()));
    }
}
