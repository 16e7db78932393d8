package dev.lacuna.core.allocator.expandable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.model.Allocator;
import dev.lacuna.core.allocator.model.Device;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What PyTorch 2.14.1 for CUDA reserved after each request, on stand-ins for CUDA's libraries, where {@code expandable_segments:True}
 * came at {@code grow}. Made by {@code late.py} beside the recordings, with the numbers 1 to 3.
 */
class LateExpandableRecordedTest {
    private static final long CAPACITY = 8L << 30;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void as_much_is_reserved_after_each_request_as_pytorch_reserved(int number) throws IOException {
        List<String> rows = rows(number);
        long placed = rows.stream()
                .takeWhile(row -> !row.startsWith("grow"))
                .filter(row -> row.startsWith("alloc"))
                .count();
        Allocator allocator = new LateExpandableAllocator(Device.ofCapacity(CAPACITY), CachingOptions.PYTORCH)
                .changing(placed, CachingOptions.PYTORCH);
        for (int i = 0; i < rows.size(); i++) {
            String[] words = rows.get(i).split(" ");
            act(allocator, words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]));
            assertThat(allocator.reservedBytes()).as("%d: %s", i, rows.get(i)).isEqualTo(Long.parseLong(words[3]));
        }
    }

    private static void act(Allocator allocator, String word, int id, long bytes) {
        switch (word) {
            case "alloc" -> allocator.allocate(id, bytes, 0);
            case "free" -> allocator.free(id);
            case "empty" -> allocator.emptyCache();
            default -> assertThat(word).isEqualTo("grow");
        }
    }

    private static List<String> rows(int number) throws IOException {
        try (InputStream in = LateExpandableRecordedTest.class.getResourceAsStream("late-" + number + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }
}
