package dev.lacuna.core.history.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.history.attribution.FlameLayout.Box;
import dev.lacuna.core.history.attribution.FrameTree.Direction;
import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees, histograms and searches, against counting block by block. */
class AttributionTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void adds_up_every_path_of_the_tree_as_counting_does(long seed) throws IOException {
        DeviceHistory history = Histories.random(seed, 600).history();
        for (Direction direction : Direction.values()) {
            FrameTree shape = FrameTree.of(history.stacks(), direction);
            for (int moment = 0; moment <= history.size(); moment += 37) {
                StackTree tree = StackTree.of(shape, StackBytes.at(history, moment));
                Map<List<Frame>, Long> counted = counted(history, moment, direction);
                for (int node = 0; node < shape.size(); node++) {
                    assertThat(tree.bytes(node)).isEqualTo(counted.getOrDefault(shape.path(node), 0L));
                    long below = Arrays.stream(tree.children(node))
                            .mapToLong(tree::bytes)
                            .sum();
                    assertThat(tree.bytes(node)).isEqualTo(below + tree.ownBytes(node));
                    assertThat(shape.find(shape.path(node))).isEqualTo(node);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void tells_growth_and_loss_between_two_moments(long seed) throws IOException {
        DeviceHistory history = Histories.random(seed, 400).history();
        StackBytes before = StackBytes.at(history, 100);
        StackBytes after = StackBytes.at(history, 333);
        StackBytes change = StackBytes.between(history, 100, 333);
        for (int s = 0; s < change.stacks(); s++) {
            long expected = after.bytes(s) - before.bytes(s);
            assertThat(change.bytes(s)).isEqualTo(expected);
            assertThat(change.grown().bytes(s)).isEqualTo(Math.max(0, expected));
            assertThat(change.shrunk().bytes(s)).isEqualTo(Math.max(0, -expected));
        }
    }

    @Test
    void counts_every_live_block_in_one_class_of_sizes() throws IOException {
        DeviceHistory history = Histories.random(8, 800).history();
        LifetimeClasses lifetimes = LifetimeClasses.of(history);
        for (int moment = 0; moment <= history.size(); moment += 53) {
            int at = moment;
            List<SizeHistogram.Bin> bins =
                    SizeHistogram.at(history, lifetimes, moment).bins();
            assertThat(bins.stream().mapToLong(SizeHistogram.Bin::bytes).sum())
                    .isEqualTo(HeldByTrainer.bytes(history, moment));
            for (SizeHistogram.Bin bin : bins) {
                for (LifetimeClass lifetime : LifetimeClass.values()) {
                    long blocks = IntStream.range(0, history.allocations())
                            .filter(a -> HeldByTrainer.isLive(history, a, at) && lifetimes.of(a) == lifetime)
                            .filter(a -> history.bytesOf(a) >= bin.fromBytes() && history.bytesOf(a) < bin.toBytes())
                            .count();
                    assertThat((long) bin.of(lifetime).blocks()).isEqualTo(blocks);
                }
            }
        }
    }

    @Test
    void finds_the_largest_without_sorting_all() throws IOException {
        DeviceHistory history = Histories.random(9, 900).history();
        int[] sorted = IntStream.range(0, history.allocations())
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(a -> -history.bytesOf(a))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(25)
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(HeldByTrainer.largest(history, 25, a -> true)).isEqualTo(sorted);
        assertThat(HeldByTrainer.largest(history, 0, a -> true)).isEmpty();
    }

    @Test
    void lets_lifetimes_follow_steps_where_they_are_marked() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(0, 512, "weights") // event 0
                .alloc(1 << 20, 512, "temp") // 1
                .free(1 << 20) // 2, 3
                .alloc(2 << 20, 512, "kept") // 4
                .alloc(3 << 20, 512, "temp") // 5
                .free(3 << 20) // 6, 7
                .history();
        LifetimeClasses lifetimes = LifetimeClasses.of(history, List.of(1, 5));
        assertThat(IntStream.range(0, 4).mapToObj(lifetimes::of).toList())
                .containsExactly(LifetimeClass.LONG, LifetimeClass.SHORT, LifetimeClass.LONG, LifetimeClass.SHORT);
    }

    @Test
    void understands_addresses_sizes_streams_and_words() {
        BlockQuery query = BlockQuery.parse(" 0x7F00 stream:3  1MiB..2MiB  Forward train.py:12 ");
        assertThat(query.address()).isEqualTo(OptionalLong.of(0x7f00));
        assertThat(query.stream()).isEqualTo(OptionalLong.of(3));
        assertThat(query.leastBytes()).isEqualTo(1 << 20);
        assertThat(query.mostBytes()).isEqualTo(2 << 20);
        assertThat(query.words()).containsExactly("forward", "train.py:12");
        assertThat(BlockQuery.parse(">=20MiB <1GiB").leastBytes()).isEqualTo(20 << 20);
        assertThat(BlockQuery.parse("<1GiB").mostBytes()).isEqualTo((1 << 30) - 1);
        assertThat(BlockQuery.parse("<lambda> ->").words()).containsExactly("<lambda>", "->");
        assertThat(BlockQuery.parse("  ").isAll()).isTrue();
    }

    @Test
    void a_size_finds_all_blocks_that_read_so() {
        BlockQuery query = BlockQuery.parse("3.61MiB");
        assertThat(query.words()).isEmpty();
        assertThat(query.leastBytes()).isBetween((long) (3.58 * (1 << 20)), (long) (3.605 * (1 << 20)));
        assertThat(query.mostBytes()).isBetween((long) (3.615 * (1 << 20)), (long) (3.64 * (1 << 20)));
        assertThat(BlockQuery.parse("512B")).extracting(BlockQuery::leastBytes).isEqualTo(510L);
    }

    @Test
    void an_address_may_be_typed_as_a_map_shows_it() {
        assertThat(BlockQuery.parse("63fc75000").address()).hasValue(0x63fc75000L);
        assertThat(BlockQuery.parse("deadbeefcafe").words()).containsExactly("deadbeefcafe");
        assertThat(BlockQuery.parse("train_254").words()).containsExactly("train_254");
    }

    @Test
    void finds_a_block_by_any_address_inside_it_and_by_its_stack() throws IOException {
        DeviceHistory history = new Histories()
                .alloc(4096, 1024, "main", "forward")
                .alloc(8192, 512, "main", "loss")
                .history();
        assertThat(found(history, "0x" + Long.toHexString(Histories.BASE + 4096 + 1023)))
                .containsExactly(0);
        assertThat(found(history, "0x" + Long.toHexString(Histories.BASE + 4096 + 1024)))
                .isEmpty();
        assertThat(found(history, "LOSS")).containsExactly(1);
        assertThat(found(history, "main train.py:7")).containsExactly(0, 1);
        assertThat(found(history, "stream:1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 11})
    void lays_flames_out_without_gaps_or_overlaps(long seed) throws IOException {
        DeviceHistory history = Histories.random(seed, 700).history();
        FrameTree shape = FrameTree.of(history.stacks(), Direction.TOP_DOWN);
        StackTree tree = StackTree.of(shape, StackBytes.at(history, 700));
        FlameLayout layout = FlameLayout.of(tree, FrameTree.ROOT, 1000, 2);
        for (Box box : layout.boxes()) {
            assertThat(box.width()).isCloseTo(1000.0 * box.bytes() / tree.bytes(FrameTree.ROOT), within());
            double inner = layout.boxes().stream()
                    .filter(b -> b.row() == box.row() + 1
                            && b.x() >= box.x() - 1e-6
                            && b.x() + b.width() <= box.x() + box.width() + 1e-6)
                    .mapToDouble(Box::width)
                    .sum();
            assertThat(inner).isLessThanOrEqualTo(box.width() + 1e-6);
        }
        TreeSet<Integer> rows = new TreeSet<>();
        layout.boxes().forEach(box -> rows.add(box.row()));
        assertThat(rows).hasSize(layout.rows());
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-6);
    }

    private static int[] found(DeviceHistory history, String query) {
        return IntStream.range(0, history.allocations())
                .filter(new BlockSearch(history, BlockQuery.parse(query)))
                .toArray();
    }

    private static Map<List<Frame>, Long> counted(DeviceHistory history, int moment, Direction direction) {
        Map<List<Frame>, Long> counted = new HashMap<>();
        HeldByTrainer.forEach(history, moment, a -> {
            List<Frame> frames = history.stacks().stack(StackBytes.stackOf(history, a));
            for (int depth = 0; depth <= frames.size(); depth++) {
                List<Frame> path = direction == Direction.BOTTOM_UP
                        ? frames.subList(0, depth)
                        : reversed(frames.subList(frames.size() - depth, frames.size()));
                counted.merge(List.copyOf(path), history.bytesOf(a), Long::sum);
            }
        });
        return counted;
    }

    private static List<Frame> reversed(List<Frame> frames) {
        return IntStream.range(0, frames.size())
                .mapToObj(i -> frames.get(frames.size() - 1 - i))
                .toList();
    }
}
