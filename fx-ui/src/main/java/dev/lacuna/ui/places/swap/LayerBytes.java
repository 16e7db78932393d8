package dev.lacuna.ui.places.swap;

import dev.lacuna.bridge.LayerPlace;
import java.util.List;
import java.util.stream.LongStream;

/** The bytes of layers by place: on the device, moving out, on the host, moving back. */
final class LayerBytes {
    /** Index of what lies on the host. */
    static final int HOST = 2;

    private LayerBytes() {}

    static long[] of(LayerPlace layer) {
        return new long[] {layer.deviceBytes(), layer.outBytes(), layer.hostBytes(), layer.inBytes()};
    }

    /** All layers together. */
    static long[] sum(List<LayerPlace> layers) {
        long[] sum = new long[4];
        for (LayerPlace layer : layers) {
            long[] bytes = of(layer);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += bytes[i];
            }
        }
        return sum;
    }

    static long total(long[] bytes) {
        return LongStream.of(bytes).sum();
    }

    static long total(LayerPlace layer) {
        return total(of(layer));
    }
}
