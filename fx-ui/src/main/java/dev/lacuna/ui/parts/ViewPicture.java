package dev.lacuna.ui.parts;

import java.util.concurrent.Callable;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.image.PixelFormat;
import javafx.scene.image.WritableImage;

/** Pictures of what the window shows, on the ground that it is shown on. */
public final class ViewPicture {
    private ViewPicture() {}

    /** Whether the view can be seen: what is in a tab behind others cannot be drawn. UI thread only. */
    public static boolean isShown(Node view) {
        if (view.getScene() == null) {
            return false;
        }
        for (Node node = view; node != null; node = node.getParent()) {
            if (!node.isVisible()) {
                return false;
            }
        }
        return true;
    }

    /** A PNG of a view that {@link #isShown}: taken at once, on the UI thread; packed where it is asked for. */
    public static Callable<byte[]> of(Node view, ExportFiles files) {
        return png(image(view), files);
    }

    /** Packs a picture where that is asked for. */
    static Callable<byte[]> png(WritableImage image, ExportFiles files) {
        int width = (int) image.getWidth();
        int height = (int) image.getHeight();
        int[] argb = new int[width * height];
        image.getPixelReader().getPixels(0, 0, width, height, PixelFormat.getIntArgbInstance(), argb, 0, width);
        return () -> files.png(width, height, argb);
    }

    /** A picture of a view that {@link #isShown}. UI thread only. */
    static WritableImage image(Node view) {
        // A view alone would lose the colours of what lies below it.
        WritableImage all = view.getScene().getRoot().snapshot(null, null);
        Bounds part = view.localToScene(view.getLayoutBounds());
        int left = (int) Math.max(0, Math.floor(part.getMinX()));
        int top = (int) Math.max(0, Math.floor(part.getMinY()));
        int width = (int) Math.max(1, Math.min(all.getWidth(), Math.ceil(part.getMaxX())) - left);
        int height = (int) Math.max(1, Math.min(all.getHeight(), Math.ceil(part.getMaxY())) - top);
        return new WritableImage(all.getPixelReader(), left, top, width, height);
    }
}
