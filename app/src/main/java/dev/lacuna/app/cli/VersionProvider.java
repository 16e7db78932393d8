package dev.lacuna.app.cli;

import dev.lacuna.app.version.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version written into the jar by the build. */
final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {ProgramVersion.text()};
    }
}
