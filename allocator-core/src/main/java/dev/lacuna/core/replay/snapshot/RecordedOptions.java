package dev.lacuna.core.replay.snapshot;

import dev.lacuna.core.allocator.caching.CachingOptions;
import dev.lacuna.core.allocator.caching.RoundupDivisions;
import dev.lacuna.core.allocator.settings.AllocConf;
import dev.lacuna.core.trace.snapshot.model.AllocatorSettings;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.util.stream.LongStream;

/** The options that the allocator of a snapshot ran with: as its file says them, and as its blocks betray them. */
public final class RecordedOptions {
    private RecordedOptions() {}

    /** The options of this snapshot's allocator. What its file leaves out is taken to be the default. */
    public static CachingOptions of(MemorySnapshot snapshot) {
        AllocatorSettings settings = snapshot.settings();
        // The string is read where it can be: only it tells the size of large segments. The table tells the rest for
        // sure.
        CachingOptions options = AllocConf.parse(settings.configuration()).options();
        if (!settings.roundupDivisions().isEmpty()) {
            options = options.withRoundup(roundup(settings));
        }
        options = options.withMaxSplitBytes(settings.maxSplitBytes().orElse(options.maxSplitBytes()));
        options = options.withGarbageCollectionThreshold(
                settings.garbageCollectionThreshold().orElse(options.garbageCollectionThreshold()));
        return padded(snapshot, options) ? options.withPadBytes(CachingOptions.NPU_PAD_BYTES) : options;
    }

    private static RoundupDivisions roundup(AllocatorSettings settings) {
        return RoundupDivisions.of(LongStream.range(0, RoundupDivisions.INTERVALS)
                .map(i -> settings.roundupDivisions().getOrDefault(1L << i, 0L))
                .toArray());
    }

    /**
     * Whether requests were padded before they were rounded, as torch_npu does without a word in the file. Live blocks of small
     * segments tell: nothing is left over in them but rounding.
     */
    private static boolean padded(MemorySnapshot snapshot, CachingOptions options) {
        CachingOptions npu = options.withPadBytes(CachingOptions.NPU_PAD_BYTES);
        return !explains(snapshot, options) && explains(snapshot, npu);
    }

    private static boolean explains(MemorySnapshot snapshot, CachingOptions options) {
        for (SnapshotDevice device : snapshot.devices()) {
            SnapshotBlocks blocks = device.blocks();
            for (int b = 0; b < blocks.size(); b++) {
                if (blocks.state(b) == BlockState.ALLOCATED
                        && !device.segments().large(blocks.segment(b))
                        && blocks.requestedBytes(b) > 0
                        && blocks.bytes(b) != options.rounded(blocks.requestedBytes(b))) {
                    return false;
                }
            }
        }
        return true;
    }
}
