package dev.lacuna.ui.places.recording.focus;

import dev.lacuna.core.history.model.DeviceHistory;
import dev.lacuna.core.history.model.SegmentState;
import dev.lacuna.core.trace.snapshot.model.CallStacks;
import dev.lacuna.core.trace.snapshot.model.Frame;
import java.util.List;

/** Which allocations of a device a selection means. */
public final class Highlight {
    private static final byte UNKNOWN = 0;
    private static final byte YES = 1;
    private static final byte NO = 2;

    private final DeviceHistory device;
    private final RecordingSelection selection;
    private final byte[] stacks;

    public Highlight(DeviceHistory device, RecordingSelection selection) {
        this.device = device;
        this.selection = selection;
        stacks = new byte
                [selection instanceof RecordingSelection.Stack ? device.stacks().size() : 0];
    }

    /** Whether it means this allocation. */
    public boolean has(int allocation) {
        if (selection instanceof RecordingSelection.Allocation one) {
            return one.id() == allocation;
        }
        if (selection instanceof RecordingSelection.Stack stack) {
            return isBelow(stack.path(), device.stackOf(allocation));
        }
        if (selection instanceof RecordingSelection.SizeClass sizes) {
            long bytes = device.bytesOf(allocation);
            return bytes >= sizes.from() && bytes <= sizes.to();
        }
        return selection instanceof RecordingSelection.Segment segment
                && (isWithin(device.closing(), segment.address(), device.addressOf(allocation))
                        || isWithin(device.opening(), segment.address(), device.addressOf(allocation)));
    }

    private static boolean isWithin(SegmentState segments, long segment, long address) {
        int row = segments.rowOf(address);
        return row != SegmentState.NONE && segments.address(row) == segment;
    }

    private boolean isBelow(List<Frame> path, int stack) {
        if (stack == DeviceHistory.NONE) {
            return false;
        }
        if (stacks[stack] == UNKNOWN) {
            stacks[stack] = begins(device.stacks(), stack, path) ? YES : NO;
        }
        return stacks[stack] == YES;
    }

    /** Stacks are kept from the innermost frame outwards; a path runs the other way. */
    private static boolean begins(CallStacks all, int stack, List<Frame> path) {
        List<Frame> frames = all.stack(stack);
        if (frames.size() < path.size()) {
            return false;
        }
        for (int i = 0; i < path.size(); i++) {
            if (!frames.get(frames.size() - 1 - i).equals(path.get(i))) {
                return false;
            }
        }
        return true;
    }
}
