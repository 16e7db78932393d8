import dev.lacuna.app.cli.CommandLineFactory;
import java.io.File;
import java.io.IOException;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the AsciiDoc of each command's manual page. Run as a source file by pages.sh. */
final class Pages {
    private Pages() {}

    public static void main(String[] args) throws IOException {
        File folder = new File(args[0]);
        int status = ManPageGenerator.generateManPage(
                folder, null, new boolean[0], true, CommandLineFactory.create().getCommandSpec());
        if (status != 0) {
            throw new IOException("the pages could not be written: status " + status);
        }
    }
}
