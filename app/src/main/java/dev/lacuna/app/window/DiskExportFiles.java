package dev.lacuna.app.window;

import dev.lacuna.app.version.ProgramVersion;
import dev.lacuna.core.base.file.WholeFile;
import dev.lacuna.ui.parts.ExportFiles;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** Exports to this machine's disks. */
final class DiskExportFiles implements ExportFiles {
    @Override
    public void write(String path, byte[] content) throws IOException {
        WholeFile.write(Path.of(path), content);
    }

    @Override
    public byte[] png(int width, int height, int[] argb) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        image.setRGB(0, 0, width, height, argb, 0, width);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ImageIO.write(image, "png", out);
        return out.toByteArray();
    }

    @Override
    public String program() {
        return ProgramVersion.text();
    }
}
