package dev.lacuna.core.allocator.mindspeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The recorder answers as the published description says, taken at its word: ordered sets, searched one after the other. */
class SurvivalRecorderPropertyTest {
    private static final int NEVER = Integer.MAX_VALUE;

    @Property(tries = 2000)
    void answers_like_ordered_sets_searched_in_turn(@ForAll long seed) {
        Random random = new Random(seed);
        SurvivalRecorder recorder = new SurvivalRecorder();
        Described described = new Described();
        int sizes = 1 + random.nextInt(random.nextBoolean() ? 5 : 300);
        List<Integer> live = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            switch (random.nextInt(24)) {
                case 0, 1 -> {
                    recorder.begin();
                    described.begin();
                }
                case 2, 3 -> {
                    recorder.end();
                    described.end();
                }
                case 4, 5, 6, 7, 8, 9, 10 -> {
                    if (!live.isEmpty()) {
                        int block = live.remove(random.nextInt(live.size()));
                        recorder.freed(block);
                        described.freed(block);
                    }
                }
                default -> {
                    long size = 1 + random.nextInt(sizes);
                    assertThat(recorder.knowsALastRun()).isEqualTo(!described.last.isEmpty());
                    if (described.recording) {
                        assertThat(recorder.expectsSurvival(size)).isEqualTo(described.expectsSurvival(size));
                    }
                    recorder.born(i, size);
                    described.born(i, size);
                    live.add(i);
                }
            }
        }
    }

    private record Element(int start, int end, long size) {}

    private record Birth(int start, long size, int run) {}

    /** docs/lifetime-pools.md, "Recorders". */
    private static final class Described {
        private static final Comparator<Element> ORDER = Comparator.comparingInt(Element::start)
                .thenComparingInt(Element::end)
                .thenComparingLong(Element::size);

        private final Map<Integer, Birth> births = new HashMap<>();
        private final List<NavigableSet<Element>> branches = new ArrayList<>();
        private NavigableSet<Element> last = new TreeSet<>(ORDER);
        private NavigableSet<Element> running = new TreeSet<>(ORDER);
        private boolean recording;
        private boolean branched;
        private int tick = 1;
        private int lookups;
        private int run;

        void begin() {
            recording = true;
            tick = 1;
        }

        void end() {
            recording = false;
            tick = 1;
            lookups = 0;
            run++;
            if (branched) {
                branches.add(running);
                branched = false;
            }
            last = running;
            running = new TreeSet<>(ORDER);
        }

        boolean expectsSurvival(long size) {
            int lookup = lookups++;
            List<NavigableSet<Element>> all = new ArrayList<>(List.of(last));
            all.addAll(branches);
            for (NavigableSet<Element> set : all) {
                NavigableSet<Element> upToNow = set.headSet(new Element(tick, NEVER, Long.MAX_VALUE), true);
                for (Element element : upToNow.descendingSet()) {
                    if (element.size() == size) {
                        return element.end() == NEVER;
                    }
                }
            }
            branched |= last.size() >= lookup;
            return false;
        }

        void born(int block, long size) {
            if (recording) {
                running.add(new Element(tick, NEVER, size));
                births.put(block, new Birth(tick, size, run));
            }
            tick++;
        }

        void freed(int block) {
            Birth birth = births.remove(block);
            if (birth != null
                    && birth.run() == run
                    && running.remove(new Element(birth.start(), NEVER, birth.size()))) {
                running.add(new Element(birth.start(), tick, birth.size()));
            }
        }
    }
}
