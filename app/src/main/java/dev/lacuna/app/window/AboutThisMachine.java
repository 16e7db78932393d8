package dev.lacuna.app.window;

import dev.lacuna.app.ortools.OrTools;
import dev.lacuna.app.version.ProgramVersion;
import dev.lacuna.bridge.launch.Installed;
import dev.lacuna.ui.window.AboutSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Versions of this program, of what it runs on, and of what trains here. */
final class AboutThisMachine implements AboutSource {
    @Override
    public String program() {
        return ProgramVersion.text();
    }

    @Override
    public Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("Java", Runtime.version().toString());
        versions.put("JavaFX", System.getProperty("javafx.runtime.version", "?"));
        versions.put("Linux", System.getProperty("os.version"));
        OrTools tools = OrTools.installed();
        if (tools.state() == OrTools.State.FOUND || tools.state() == OrTools.State.LOADED) {
            versions.put("OR-Tools", tools.detail());
        }
        versions.putAll(Installed.versions());
        return versions;
    }
}
