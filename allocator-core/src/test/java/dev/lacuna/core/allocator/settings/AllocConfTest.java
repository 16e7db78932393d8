package dev.lacuna.core.allocator.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.RoundupDivisions;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocConfTest {
    private static final long MIB = 1L << 20;

    private static CachingOptions options(String text) {
        return AllocConf.parse(text).options();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "backend:native"})
    void nothing_said_means_the_defaults(String text) {
        AllocConf conf = AllocConf.parse(text);
        assertThat(conf.options()).isEqualTo(CachingOptions.PYTORCH);
        assertThat(conf.expandableSegments()).isEmpty();
        assertThat(conf.asynchronous()).isFalse();
        assertThat(conf.others()).isEmpty();
    }

    @Test
    void reads_every_key_that_moves_memory() {
        AllocConf conf = AllocConf.parse("max_split_size_mb:128,max_non_split_rounding_mb:40,"
                + "garbage_collection_threshold:0.8,roundup_power2_divisions:4,per_process_memory_fraction:0.94,"
                + "expandable_segments:True,backend:native");
        assertThat(conf.options())
                .isEqualTo(CachingOptions.PYTORCH
                        .withMaxSplitBytes(128 * MIB)
                        .withMaxNonSplitRoundingBytes(40 * MIB)
                        .withGarbageCollectionThreshold(0.8)
                        .withRoundup(RoundupDivisions.everywhere(4))
                        .withFraction(0.94));
        assertThat(conf.expandableSegments()).contains(true);
    }

    @Test
    void white_space_and_a_comma_at_the_end_mean_nothing() {
        assertThat(options(" max_split_size_mb : 1 28 , ").maxSplitBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void of_two_values_for_one_key_the_last_holds() {
        assertThat(options("max_split_size_mb:64,max_split_size_mb:32").maxSplitBytes())
                .isEqualTo(32 * MIB);
    }

    @Test
    void the_large_segment_rules_the_other_sizes_wherever_it_stands() {
        assertThat(options("large_segment_size_mb:64").maxNonSplitRoundingBytes())
                .isEqualTo(64 * MIB);
        assertThat(options("max_split_size_mb:12,large_segment_size_mb:12").maxSplitBytes())
                .isEqualTo(12 * MIB);
        assertThatThrownBy(() -> options("max_split_size_mb:32,large_segment_size_mb:64"))
                .isInstanceOf(AllocConfException.class)
                .hasMessageContaining("max_split_size_mb");
    }

    @Test
    void sizes_beyond_all_memory_are_as_good_as_unlimited() {
        assertThat(options("max_split_size_mb:99999999999999999999999").maxSplitBytes())
                .isEqualTo(1L << 60);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The first size rules everything below it, too; sizes not named keep 0.
                "[256:1,512:2,1024:4,>:8] | 1 1 1 1 1 1 1 1 1 2 4 8 8 8 8 8",
                "[64:8]                   | 8 8 8 8 8 8 8 0 0 0 0 0 0 0 0 0",
                "[1:2,8:4]                | 2 0 0 4 0 0 0 0 0 0 0 0 0 0 0 0",
                "[4:2,>:0]                | 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 0",
                "[>:4]                    | 0 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4",
                "[32768:2]                | 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
                "[1048576:2,>:4]          | 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2",
                "[]                       | 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                "16                       | 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16",
            })
    void divisions_come_as_one_number_or_by_size(String value, String byInterval) {
        long[] expected = java.util.Arrays.stream(byInterval.split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        assertThat(options("roundup_power2_divisions:" + value + ",max_split_size_mb:32")
                        .roundup())
                .isEqualTo(RoundupDivisions.of(expected));
    }

    @Test
    void keys_that_move_no_memory_are_kept_as_written() {
        assertThat(AllocConf.parse("pinned_num_register_threads:8,release_lock_on_cudamalloc:True")
                        .others())
                .isEqualTo(Map.of("pinned_num_register_threads", "8", "release_lock_on_cudamalloc", "True"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max_split_size_mb                     | expected ':' after max_split_size_mb, but the string ends",
                "max_split_size_mb=128                 | expected ':' after max_split_size_mb=128",
                "max_split_size_mb:                    | expected a number of MiB for max_split_size_mb",
                "max_split_size_mb:x                   | but found 'x'",
                "max_split_size_mb:-1                  | but found '-1'",
                "max_split_size_mb:128abc              | but found '128abc'",
                "max_split_size_mb:19                  | max_split_size_mb must be at least large_segment_size_mb, 20 MiB",
                "max_split_size_mb:[128]               | but found '['",
                "max_split_size_mb:128 expandable_segments:True | a whole number, but found '128expandable_segments'",
                "max_split_size_mb:128:64              | expected ',' after the value of max_split_size_mb",
                ",max_split_size_mb:128                | expected a key, but found ','",
                "max_split_size:128                    | unknown key 'max_split_size'",
                "segment_size_mb:128                   | unknown key 'segment_size_mb'",
                "max_non_split_rounding_mb:10          | max_non_split_rounding_mb",
                "large_segment_size_mb:10              | large_segment_size_mb must be above 10 MiB",
                "garbage_collection_threshold:0        | garbage_collection_threshold must lie between 0 and 1",
                "garbage_collection_threshold:1.0      | garbage_collection_threshold must lie between 0 and 1",
                "garbage_collection_threshold:1-1      | a number, but found '1-1'",
                "garbage_collection_threshold:NaN      | a number, but found 'NaN'",
                "per_process_memory_fraction:1.5       | per_process_memory_fraction",
                "expandable_segments:true              | expected True or False for expandable_segments, but found 'true'",
                "backend:async                         | backend must be native or cudaMallocAsync, but is 'async'",
                "roundup_power2_divisions:3            | must be powers of two, but one is 3",
                "roundup_power2_divisions:0            | must be a power of two, but is 0",
                "roundup_power2_divisions:[3:4]        | sizes in the list of roundup_power2_divisions must be powers",
                "roundup_power2_divisions:[0:4]        | but one is 0",
                "roundup_power2_divisions:[256:3]      | but one is 3",
                "roundup_power2_divisions:[256:4       | expected ']' after the list",
                "roundup_power2_divisions:[256:4[512:2] | expected ']' after the list",
                "roundup_power2_divisions:[256]        | expected ':' after 256",
                "pinned_num_register_threads:[8        | expected ']' after the list of pinned_num_register_threads",
            })
    void what_the_framework_would_refuse_is_refused_with_the_reason(String text, String reason) {
        assertThatThrownBy(() -> AllocConf.parse(text))
                .isInstanceOf(AllocConfException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void torch_npu_pads_requests_and_has_keys_of_its_own() {
        AllocConf conf = AllocConf.parse(
                "segment_size_mb:64,page_size:1g,multi_stream_lazy_reclaim:True", ConfDialect.TORCH_NPU);
        assertThat(conf.options())
                .isEqualTo(
                        CachingOptions.TORCH_NPU.withLargeSegmentBytes(64 * MIB).withHugePages(true));
        assertThat(conf.others()).containsOnlyKeys("multi_stream_lazy_reclaim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max_split_size_mb:20",
                "segment_size_mb:19",
                "segment_size_mb:513",
                "page_size:2m",
                "backend:native",
                "expandable_segments:True,max_split_size_mb:128",
                "expandable_segments:True,garbage_collection_threshold:0.5",
            })
    void torch_npu_refuses_more(String text) {
        assertThatThrownBy(() -> AllocConf.parse(text, ConfDialect.TORCH_NPU)).isInstanceOf(AllocConfException.class);
    }

    @Property(tries = 2000)
    void any_text_is_either_understood_or_refused(
            @ForAll
                    @Chars({',', ':', '[', ']', '>', '.', ' ', 'e', '-'})
                    @CharRange(from = '0', to = '9')
                    @StringLength(max = 20)
                    String noise) {
        for (String key : new String[] {"", "max_split_size_mb:", "roundup_power2_divisions:[", "backend:native,"}) {
            for (ConfDialect dialect : ConfDialect.values()) {
                try {
                    assertThat(AllocConf.parse(key + noise, dialect).options().padBytes())
                            .isEqualTo(dialect.defaults().padBytes());
                } catch (AllocConfException refused) {
                    assertThat(refused).hasMessageMatching(".{10,}");
                }
            }
        }
    }
}
