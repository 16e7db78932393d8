package dev.lacuna.core.replay;

import dev.lacuna.core.allocator.caching.CachingAllocator;
import dev.lacuna.core.allocator.expandable.ExpandableSegmentsAllocator;
import dev.lacuna.core.allocator.expandable.LateExpandableAllocator;
import dev.lacuna.core.allocator.model.AllocatorPolicy;
import dev.lacuna.core.allocator.model.Device;
import dev.lacuna.core.allocator.model.MappingListener;
import dev.lacuna.core.allocator.settings.AllocConf;
import dev.lacuna.core.allocator.settings.AllocConfException;
import dev.lacuna.core.base.counters.LivePeak;
import dev.lacuna.core.trace.model.TraceChunk;
import dev.lacuna.core.trace.model.TraceCursor;
import dev.lacuna.core.trace.model.TraceSource;
import java.io.IOException;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * What other settings of PyTorch's allocator would make of a training, from a recording of it. Figures from the start on are those of
 * a process that begins with what was held then, in an order that nobody knows; the live one goes on from where all lay.
 *
 * @param reservedBytes most reserved while it was recorded, in bytes
 * @param allocatedBytes most allocated then
 * @param withPresentBytes most reserved by the settings that it has, from the start on
 * @param withChangedBytes most reserved by the others, from the start on
 * @param live most reserved by the others where they are set while it runs; empty where segments grow already
 * @param failures requests that would run out of memory with the others
 */
public record SettingPreview(
        long reservedBytes,
        long allocatedBytes,
        long withPresentBytes,
        long withChangedBytes,
        Optional<LivePeak> live,
        long failures) {

    /** Of the first half of a recording: after each there is as much again to come. Two to a step where it holds twelve. */
    private static final int MOMENTS = 12;

    /**
     * Replays a recording.
     *
     * @param device what it runs on: of a cap garbage collection's threshold is a share
     * @param present settings as PyTorch writes them, such as {@code max_split_size_mb:128}; empty: its usual ones
     * @param changed the same with the change
     * @throws IllegalArgumentException where PyTorch would refuse one of the two ({@link AllocConfException}), or it means another allocator
     */
    public static SettingPreview of(TraceSource recording, ReplaySettings device, String present, String changed) {
        TraceSource fresh = () -> new FromTheStart(recording.open());
        AllocatorPolicy now = policy(present);
        AllocatorPolicy then = policy(changed);
        ReplayResult recorded = new Replay(recording, ReplaySettings.RECORDED).run(now);
        ReplayResult before = new Replay(fresh, device).run(now);
        ReplayResult after = new Replay(fresh, device).run(then);
        return new SettingPreview(
                recorded.peakReservedBytes(),
                recorded.peakAllocatedBytes(),
                before.peakReservedBytes(),
                after.peakReservedBytes(),
                live(recording, device, recorded.events() / 2, AllocConf.parse(present), AllocConf.parse(changed)),
                after.ooms());
    }

    private static Optional<LivePeak> live(
            TraceSource recording, ReplaySettings device, long requests, AllocConf present, AllocConf changed) {
        if (grows(present)) {
            return Optional.empty();
        }
        long[] peaks = LongStream.range(0, MOMENTS)
                .map(moment -> requests * moment / (2 * MOMENTS))
                .map(placed -> new Replay(recording, device)
                        .run(AllocatorPolicy.online(
                                CachingAllocator.NAME,
                                at -> before(at, present, changed).changing(placed, changed.options())))
                        .peakReservedBytes())
                .toArray();
        LongSummaryStatistics all = LongStream.of(peaks).summaryStatistics();
        return Optional.of(new LivePeak(peaks[0], all.getMin(), all.getMax()));
    }

    private static CachingAllocator before(Device at, AllocConf present, AllocConf changed) {
        return grows(changed)
                ? new LateExpandableAllocator(at, present.options())
                : new CachingAllocator(at, present.options());
    }

    private static boolean grows(AllocConf conf) {
        return conf.expandableSegments().orElse(false);
    }

    /** These settings with one key changed: of a key that stands twice the last one counts. */
    public static String changed(String settings, String key, String value) {
        return settings.isBlank() ? key + ":" + value : settings + "," + key + ":" + value;
    }

    private static AllocatorPolicy policy(String settings) {
        AllocConf conf = AllocConf.parse(settings);
        if (conf.asynchronous()) {
            throw new IllegalArgumentException("the driver's own pool (cudaMallocAsync) cannot be replayed");
        }
        return grows(conf)
                ? AllocatorPolicy.online(
                        ExpandableSegmentsAllocator.NAME,
                        device -> new ExpandableSegmentsAllocator(device, conf.options(), MappingListener.NONE))
                : AllocatorPolicy.online(CachingAllocator.NAME, device -> new CachingAllocator(device, conf.options()));
    }

    /** A reading whose first rows ask for what was held, wherever that lay. */
    private record FromTheStart(TraceCursor cursor) implements TraceCursor {
        @Override
        public boolean next(TraceChunk chunk) throws IOException {
            return cursor.next(chunk);
        }

        @Override
        public OptionalLong totalBytes() {
            return cursor.totalBytes();
        }

        @Override
        public boolean truncated() {
            return cursor.truncated();
        }

        @Override
        public void close() throws IOException {
            cursor.close();
        }
    }
}
