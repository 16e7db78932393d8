package dev.lacuna.ui.fakes;

import dev.lacuna.core.planning.PlanContent;
import dev.lacuna.core.trace.TraceReaders;
import dev.lacuna.core.trace.model.AllocationTrace;
import dev.lacuna.ui.places.planner.files.PlannerFiles;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Files in memory. */
public final class FakePlannerFiles implements PlannerFiles {
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    public FakePlannerFiles with(String path, String text) {
        texts.put(path, text);
        return this;
    }

    /** What stands there. */
    public String text(String path) {
        return texts.get(path);
    }

    @Override
    public String read(String path) throws IOException {
        if (!texts.containsKey(path)) {
            throw new FileNotFoundException(path + " is not there");
        }
        return texts.get(path);
    }

    @Override
    public InputStream open(String path) throws IOException {
        return new ByteArrayInputStream(read(path).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public AllocationTrace trace(String path) throws IOException {
        return TraceReaders.read(open(path));
    }

    @Override
    public PlanContent plan(String path) throws IOException {
        return PlanContent.read(open(path), List.of());
    }

    @Override
    public void write(String path, String text) {
        texts.put(path, text);
    }
}
