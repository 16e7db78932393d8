package dev.lacuna.ui.chart;

import java.nio.IntBuffer;
import java.util.function.Consumer;
import javafx.scene.image.ImageView;
import javafx.scene.image.PixelBuffer;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;

/** An image view over an array of pixels that we draw ourselves: no copy between the raster and the screen. */
public final class PixelPicture {
    private final ImageView view = new ImageView();
    private PixelBuffer<IntBuffer> buffer;
    private Pixels pixels = new Pixels(0, 0, new int[0]);

    /** The node to show. */
    public ImageView view() {
        return view;
    }

    /** Makes it this large, in device pixels; nothing happens when it already is. */
    public void resize(int width, int height, double pixelScale) {
        if (width != pixels.width() || height != pixels.height()) {
            int[] argb = new int[width * height];
            pixels = new Pixels(width, height, argb);
            buffer = new PixelBuffer<>(width, height, IntBuffer.wrap(argb), PixelFormat.getIntArgbPreInstance());
            view.setImage(new WritableImage(buffer));
        }
        view.setFitWidth(width / pixelScale);
        view.setFitHeight(height / pixelScale);
    }

    /** Draws it anew and shows it at the next pulse. */
    public void draw(Consumer<Pixels> painter) {
        painter.accept(pixels);
        buffer.updateBuffer(all -> null);
    }
}
