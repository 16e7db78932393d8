package dev.lacuna.core.diagnosis;

import dev.lacuna.core.base.ByteSize;
import dev.lacuna.core.base.SizeUnit;
import dev.lacuna.core.diagnosis.model.Cause;
import dev.lacuna.core.diagnosis.model.Diagnosis;
import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.OomReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a row of an index with {@code expected_fields} and {@code expected_cause} demands of a file: {@code name=value}
 * separated by {@code ;}, reports by {@code ||}. {@code opt:}: right if read, not wrong if not. {@code !}: must not be
 * read. {@code any}: not judged. {@code (optional)}: the report may be left out.
 */
final class ExpectedReports {
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");
    private static final Pattern DIGIT = Pattern.compile("\\d");
    private static final String OPTIONAL = "(optional)";
    private static final String NONE = "no report";

    private static final Map<String, Function<OomReport, OptionalLong>> AMOUNTS = Map.of(
            "tried", OomReport::triedBytes,
            "total", OomReport::totalBytes,
            "alloc", OomReport::allocatedBytes,
            "active", OomReport::activeBytes,
            "free", OomReport::freeBytes,
            "reserved", OomReport::reservedBytes,
            "allowed", OomReport::allowedBytes,
            "process", OomReport::processBytes);

    /** One report that is expected. */
    private record Expected(Map<String, String> fields, List<String> causes, boolean optional) {}

    private final String framework;
    private final List<Expected> reports = new ArrayList<>();

    ExpectedReports(Map<String, String> row) {
        framework = row.get("framework");
        if (row.get("expected_fields").equals(NONE)) {
            return;
        }
        String[] fields = row.get("expected_fields").split("\\|\\|", -1);
        String[] causes = row.get("expected_cause").split("\\|\\|", -1);
        for (int i = 0; i < fields.length; i++) {
            String cause = (i < causes.length ? causes[i] : "any").strip();
            boolean optional = cause.contains(OPTIONAL) || fields[i].contains(OPTIONAL);
            List<String> names =
                    Arrays.asList(cause.replace(OPTIONAL, "").strip().split("\\|"));
            reports.add(new Expected(parse(fields[i].replace(OPTIONAL, "")), names, optional));
        }
    }

    private static Map<String, String> parse(String fields) {
        Map<String, String> result = new LinkedHashMap<>();
        for (String field : fields.strip().split(";")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                result.put(
                        field.substring(0, equals).strip(),
                        field.substring(equals + 1).strip());
            }
        }
        return result;
    }

    boolean isNone() {
        return reports.isEmpty();
    }

    /** What is wrong with these diagnoses; empty when nothing. */
    List<String> faults(List<Diagnosis> found) {
        long least = reports.stream().filter(r -> !r.optional()).count();
        if (found.size() < least || found.size() > reports.size()) {
            return List.of("reports: expected " + least + (least == reports.size() ? "" : " to " + reports.size())
                    + ", got " + found.size());
        }
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            compare(reports.get(i), found.get(i), faults);
        }
        return faults;
    }

    private void compare(Expected expected, Diagnosis diagnosis, List<String> faults) {
        OomReport report = diagnosis.report();
        Map<String, String> fields = expected.fields();
        AMOUNTS.forEach((name, read) -> amount(name, fields.get(name), read.apply(report), faults));
        text(
                "framework",
                fields.getOrDefault("fw", framework),
                report.framework().id(),
                faults);
        String device = report.device()
                .filter(d -> fields.containsKey("device") || DIGIT.matcher(d).find())
                .orElse("");
        text("device", fields.getOrDefault("device", ""), device, faults);
        String rank = report.rank().isPresent() ? Integer.toString(report.rank().getAsInt()) : "";
        text("rank", fields.getOrDefault("rank", ""), rank, faults);
        text("repeats", fields.getOrDefault("repeats", "any"), Integer.toString(report.repeats()), faults);
        boolean host = report.claims().contains(Claim.HOST_MEMORY);
        check("host", fields.getOrDefault("host", "False").equals("True"), host, faults);
        if (!expected.causes().contains("any")
                && !expected.causes().contains(diagnosis.cause().id())
                && !weighedFirst(expected, diagnosis)) {
            faults.add("cause: expected " + expected.causes() + ", got "
                    + diagnosis.cause().id());
        }
    }

    /** An index older than the contract's word on what others hold: fragmentation then stands behind outside-the-pool. */
    private static boolean weighedFirst(Expected expected, Diagnosis diagnosis) {
        long outside = diagnosis.outsideBytes().orElse(0);
        boolean most = outside > diagnosis.report().totalBytes().orElse(Long.MAX_VALUE) / 2
                && outside > diagnosis.gapBytes().orElse(0);
        return most
                && diagnosis.cause() == Cause.OUTSIDE_THE_POOL
                && diagnosis.also().contains(Cause.FRAGMENTATION)
                && expected.causes().contains(Cause.FRAGMENTATION.id());
    }

    private static void amount(String name, String expected, OptionalLong actual, List<String> faults) {
        if (expected == null || expected.equals("any")) {
            boolean invented = expected == null && actual.isPresent() && !MAY_BE_DERIVED.contains(name);
            check(name + " (not printed)", false, invented, faults);
        } else if (expected.startsWith("!")) {
            OptionalLong forbidden = bytes(expected.substring(1));
            check(name + " must not be " + forbidden, false, actual.equals(forbidden), faults);
        } else if (expected.startsWith("opt:")) {
            OptionalLong wanted = bytes(expected.substring(4));
            check(name, true, actual.isEmpty() || actual.equals(wanted), faults);
        } else {
            check(name, expected.equals("None") ? OptionalLong.empty() : bytes(expected), actual, faults);
        }
    }

    /** Figures that another column of the index implies: a cap that a back end calls its total. */
    private static final List<String> MAY_BE_DERIVED = List.of("total", "active");

    private static void text(String name, String expected, String actual, List<String> faults) {
        String wanted = expected.startsWith("opt:") ? expected.substring(4) : expected;
        boolean left = expected.startsWith("opt:") && actual.isEmpty();
        boolean right = left
                || wanted.equals("any")
                || Arrays.asList(wanted.split("\\|")).contains(actual)
                || wanted.equals("None") && actual.isEmpty();
        if (!right) {
            faults.add(name + ": expected " + expected + ", got " + actual);
        }
    }

    private static void check(String name, Object expected, Object actual, List<String> faults) {
        if (!expected.equals(actual)) {
            faults.add(name + ": expected " + expected + ", got " + actual);
        }
    }

    /** {@code A}, {@code A + B} or {@code A - B}, sizes as printed. */
    private static OptionalLong bytes(String printed) {
        long sum = 0;
        int sign = 1;
        for (String term : printed.split("(?<= )(?=[+-] )")) {
            String size = term.strip();
            if (size.startsWith("+ ") || size.startsWith("- ")) {
                sign = size.charAt(0) == '-' ? -1 : 1;
                size = size.substring(2).strip();
            }
            Matcher m = SIZE.matcher(size);
            if (!m.matches()) {
                throw new IllegalArgumentException("no size: " + printed);
            }
            String unit = m.group(2).isEmpty() ? "B" : m.group(2);
            sum += sign
                    * ByteSize.printed(m.group(1), SizeUnit.ofWord(unit).orElseThrow())
                            .orElseThrow();
        }
        return OptionalLong.of(sum);
    }
}
