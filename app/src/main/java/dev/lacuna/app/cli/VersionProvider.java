package dev.lacuna.app.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version written into the jar by the build. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Optional.ofNullable(VersionProvider.class.getPackage().getImplementationVersion())
                .orElse("(unpackaged build)");
        return new String[] {"lacuna " + version};
    }
}
