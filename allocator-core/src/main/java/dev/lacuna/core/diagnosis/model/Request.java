package dev.lacuna.core.diagnosis.model;

import dev.lacuna.core.diagnosis.oom.model.Claim;
import dev.lacuna.core.diagnosis.oom.model.Framework;
import java.util.OptionalLong;

/** What was asked for, against the device: whether a request of its size can be meant, or served at all. */
public record Request(Evidence e) {
    private static final long ABSURD_BYTES = 3L << 40;

    /** Hosts may have as much; no device has. */
    private static final long BEYOND_DEVICES = 1L << 40;

    private static final int FAR = 16;
    private static final int MANY = 8;

    /** What was asked for in one piece, printed or worked out from a printed shape; 0 where neither is. */
    public long largestAsked() {
        return e.tried().isPresent()
                ? e.tried().getAsLong()
                : PrintedShape.of(e.report()).orElse(0);
    }

    /** Whether one request takes most of what the process holds and asks for, and a good part of the device. */
    public boolean isOneLargeRequest() {
        long tried = e.tried().orElse(0);
        return e.total().isPresent()
                && e.report().allocatedBytes().isPresent()
                && tried > e.total().getAsLong() / 2
                && tried / MANY > e.report().allocatedBytes().getAsLong();
    }

    /**
     * How large the card is by what stands elsewhere, where that is more than the framework sees by a quarter, which is no
     * matter of rounding: by a kernel's line about video memory, or by a free memory that is more than the total.
     */
    public OptionalLong largerCard() {
        if (e.total().isEmpty() || e.report().isOfHost() || e.device() == DeviceKind.APPLE) {
            return OptionalLong.empty();
        }
        long said = Math.max(e.surroundings().vram().orElse(0), e.free().orElse(0));
        return said / 5 > e.total().getAsLong() / 4 ? OptionalLong.of(said) : OptionalLong.empty();
    }

    /** Whether the request would have fitted onto the card as it is told elsewhere. */
    public boolean isOnLargerCard() {
        return e.tried().isPresent() && e.tried().getAsLong() <= largerCard().orElse(-1);
    }

    /** Whether more was tried than any device or host holds: a size that was worked out wrong. */
    public boolean isAbsurd() {
        boolean ofDevice = !e.report().isOfHost()
                && !e.claims(Claim.WHOLE_PROGRAM)
                && e.tried().orElse(0) > BEYOND_DEVICES;
        return e.claims(Claim.OVERSIZED) && e.tried().isEmpty()
                || ofDevice
                || e.tried().orElse(0) >= ABSURD_BYTES;
    }

    /**
     * Whether such a size is TensorFlow's share of a device, taken at the start: no tensor is asked of the device itself, and
     * what is refused is asked again at nine tenths.
     */
    public boolean isStartShare() {
        return isAbsurd()
                && e.report().framework() == Framework.TENSORFLOW
                && e.report().context().lines().stream()
                                .filter(Request::asksDevice)
                                .count()
                        > 1;
    }

    private static boolean asksDevice(String line) {
        return line.contains("failed to alloc") && line.contains("from device");
    }

    /** Whether so many times the device was tried that no work of its size can be meant: a shape is wrong, or a workspace. */
    public boolean isFarBeyond() {
        return e.total().isPresent()
                && e.total().getAsLong() > 0
                && e.tried().orElse(0) / FAR > e.total().getAsLong()
                && !e.claims(Claim.WHOLE_PROGRAM);
    }

    /** Whether one request of 4 GiB and more was refused on a card of Intel's whose pool leaves room for it. */
    public boolean isOverSingleLimit() {
        boolean room = e.total().isPresent()
                && e.free().isEmpty()
                && e.report().reservedBytes().isPresent()
                && e.tried().isPresent()
                && e.report().reservedBytes().getAsLong() + e.tried().getAsLong()
                        <= e.total().getAsLong();
        return room && e.device() == DeviceKind.INTEL && e.tried().getAsLong() >= 4L << 30;
    }
}
