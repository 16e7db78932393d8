package dev.lacuna.core.trace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lacuna.core.ConformanceSets;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import dev.lacuna.core.trace.snapshot.pickle.Budget;
import dev.lacuna.core.trace.snapshot.pickle.None;
import dev.lacuna.core.trace.snapshot.pickle.PickleDict;
import dev.lacuna.core.trace.snapshot.pickle.PickleList;
import dev.lacuna.core.trace.snapshot.pickle.PickleStack;
import dev.lacuna.core.trace.snapshot.pickle.Settler;
import dev.lacuna.core.trace.snapshot.pickle.SnapshotLimits;
import dev.lacuna.core.trace.snapshot.pickle.Unpickler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One scalar of a snapshot at a time becomes what it cannot be: every figure that does not rest on it stays as it was. */
class OddScalarsTest {
    /** Files up to this have every scalar changed, larger ones one of each kind. */
    private static final long WHOLLY = 6_000;

    private static final long LARGEST = 120_000;

    private static final Object MISSING = new Object();

    private static final List<Object> ODD = List.of(
            "odd",
            "",
            -1L,
            1L << 62,
            BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE),
            BigInteger.ONE.shiftLeft(80),
            1.5,
            true,
            Pickler.NONE,
            MISSING);

    @Test
    void of_a_snapshot_as_pytorch_lays_it_out() throws IOException {
        Map<String, Object> frame = SnapshotOf.dict("filename", "a.py", "line", 7, "name", "f");
        Map<String, Object> block = SnapshotOf.block(1 << 20, 512, 500, "active_allocated");
        block.put("frames", List.of(frame));
        SnapshotOf made = new SnapshotOf()
                .segment(1 << 20, 2 << 20, block, SnapshotOf.block((1 << 20) + 512, (2 << 20) - 512, 0, "inactive"))
                .event("alloc", 1 << 20, 512);
        Map<String, Object> top = made.top();
        top.put("allocator_settings", SnapshotOf.dict("PYTORCH_CUDA_ALLOC_CONF", "", "max_split_size", -1L));
        top.put(
                "external_annotations",
                List.of(SnapshotOf.dict("stage", "START", "name", "step", "device", 0, "time_us", 5)));
        assertThat(changeEach(copy(top), true)).as("scalars changed").isGreaterThan(25);
    }

    @Test
    @Tag("conformance")
    @Tag("nightly")
    void of_recorded_snapshots() throws IOException {
        List<Path> sets = ConformanceSets.withColumns("file", "trace_events", "reserved_bytes");
        assumeThat(sets).as("sets of snapshots").isNotEmpty();
        int changed = 0;
        for (Path set : sets) {
            for (Path file : files(set)) {
                changed += changeEach(copy(raw(file)), Files.size(file) <= WHOLLY);
            }
        }
        System.out.printf("%,d scalars made odd, one at a time%n", changed);
        assertThat(changed).isGreaterThan(100);
    }

    @Test
    void a_frame_of_the_line_that_pytorch_writes_for_minus_one_is_nothing_odd() throws IOException {
        Map<String, Object> frame = SnapshotOf.dict(
                "filename", "??", "line", BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE), "name", "f");
        Map<String, Object> block = SnapshotOf.block(1 << 20, 2 << 20, 500, "active_allocated");
        block.put("frames", List.of(frame));
        MemorySnapshot read =
                read(new SnapshotOf().segment(1 << 20, 2 << 20, block).top());
        assertThat(read.oddities().count()).isZero();
        assertThat(read.stacks().frame(0).line()).isZero();
    }

    private static List<Path> files(Path set) throws IOException {
        try (Stream<Path> files = Files.list(set)) {
            return files.filter(f ->
                            f.toString().endsWith(".pickle") || f.toString().endsWith(".pkl"))
                    .filter(f -> f.toFile().length() <= LARGEST)
                    .sorted()
                    .toList();
        }
    }

    /** Changes scalars of this tree one at a time and reads it each time; how many. */
    private static int changeEach(Object top, boolean all) throws IOException {
        List<long[]> before = figures(read(top));
        Set<String> done = new HashSet<>();
        int[] count = new int[1];
        walk(top, "", (owner, key, path) -> {
            if (!all && !done.add(path)) {
                return;
            }
            count[0]++;
            Object was = owner instanceof Map ? ((Map<?, ?>) owner).get(key) : ((List<?>) owner).get((Integer) key);
            for (Object odd : ODD) {
                if (odd.equals(was) || odd == MISSING && owner instanceof List) {
                    continue;
                }
                put(owner, key, odd);
                compare(path + " = " + odd, before, read(top));
            }
            put(owner, key, was);
        });
        return count[0];
    }

    private static void compare(String change, List<long[]> before, MemorySnapshot now) {
        boolean moves = change.startsWith("segments[].device = ") || change.startsWith("[].device = ");
        List<long[]> after = figures(now);
        if (moves) {
            assertThat(sums(after)).as(change).containsExactly(sums(before));
            return;
        }
        assertThat(after.size()).as(change).isEqualTo(before.size());
        for (int d = 0; d < before.size(); d++) {
            for (int f = 0; f < FIGURES.size(); f++) {
                if (!restsOn(FIGURES.get(f), change)) {
                    assertThat(after.get(d)[f])
                            .as(change + ": " + FIGURES.get(f) + " of device " + d)
                            .isEqualTo(before.get(d)[f]);
                }
            }
        }
    }

    private static final List<String> FIGURES =
            List.of("total_size", "allocated_size", "active_size", "requested_size", "segments");

    /** A segment's own sum, and the blocks that stand in for it where it has none. */
    private static boolean restsOn(String figure, String change) {
        String path = change.substring(0, change.indexOf(" = "));
        return path.endsWith("segments[]." + figure)
                || path.equals("[]." + figure)
                || figure.equals("requested_size") && path.contains("blocks[].");
    }

    private static long[] sums(List<long[]> figures) {
        long[] sums = new long[FIGURES.size()];
        figures.forEach(device -> {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += device[i];
            }
        });
        return sums;
    }

    private static List<long[]> figures(MemorySnapshot snapshot) {
        List<long[]> figures = new ArrayList<>();
        for (SnapshotDevice device : snapshot.devices()) {
            figures.add(new long[] {
                device.reservedBytes(),
                device.allocatedBytes(),
                device.activeBytes(),
                device.requestedBytes(),
                device.segments().size()
            });
        }
        return figures;
    }

    // -------------------------------------------------------------- trees

    /** Told of each scalar. */
    private interface Visit {
        void scalar(Object owner, Object key, String path) throws IOException;
    }

    private static void walk(Object node, String path, Visit visit) throws IOException {
        if (node instanceof Map) {
            for (Object key : List.copyOf(((Map<?, ?>) node).keySet())) {
                step(node, key, ((Map<?, ?>) node).get(key), path.isEmpty() ? "" + key : path + "." + key, visit);
            }
        } else if (node instanceof List) {
            for (int i = 0; i < ((List<?>) node).size(); i++) {
                step(node, i, ((List<?>) node).get(i), path + "[]", visit);
            }
        }
    }

    private static void step(Object owner, Object key, Object value, String path, Visit visit) throws IOException {
        if (value instanceof Map || value instanceof List) {
            walk(value, path, visit);
        } else {
            visit.scalar(owner, key, path);
        }
    }

    @SuppressWarnings("unchecked")
    private static void put(Object owner, Object key, Object value) {
        if (owner instanceof List) {
            ((List<Object>) owner).set((Integer) key, value);
        } else if (value == MISSING) {
            ((Map<Object, Object>) owner).remove(key);
        } else {
            ((Map<Object, Object>) owner).put(key, value);
        }
    }

    private static Object copy(Object node) {
        if (node instanceof Map) {
            Map<Object, Object> map = new LinkedHashMap<>();
            ((Map<?, ?>) node).forEach((key, value) -> map.put(key, copy(value)));
            return map;
        }
        return node instanceof List
                ? new ArrayList<>(
                        ((List<?>) node).stream().map(OddScalarsTest::copy).toList())
                : node;
    }

    private static MemorySnapshot read(Object top) throws IOException {
        return new SnapshotReader().read(Pickler.stream(top));
    }

    /** A file as plain maps and lists, nothing of it taken down. */
    private static Object raw(Path file) throws IOException {
        SnapshotLimits limits = new SnapshotLimits(1L << 29, 200);
        Budget budget = new Budget(limits.heapBytes());
        Settler nothing = new Settler() {
            @Override
            public Object settled(PickleDict dict) {
                return dict;
            }

            @Override
            public Optional<Object> settled(PickleList list, Object[] values, int from, int to) {
                return Optional.empty();
            }
        };
        try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
            return plain(new Unpickler(in, new PickleStack(limits, budget), budget, nothing).read());
        }
    }

    private static Object plain(Object value) {
        if (value instanceof PickleDict) {
            PickleDict dict = (PickleDict) value;
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < dict.size(); i++) {
                map.put(dict.key(i), plain(dict.value(i)));
            }
            return map;
        }
        if (value instanceof PickleList) {
            PickleList list = (PickleList) value;
            List<Object> items = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                items.add(plain(list.get(i)));
            }
            return items;
        }
        return value == None.NONE ? Pickler.NONE : value;
    }
}
