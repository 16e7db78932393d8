package dev.lacuna.core.history.open;

import dev.lacuna.core.base.file.FileHead;
import dev.lacuna.core.history.build.OpenRequest;
import dev.lacuna.core.history.model.Recording;
import dev.lacuna.core.trace.snapshot.SnapshotReader;
import dev.lacuna.core.trace.snapshot.SnapshotTraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Memory snapshots of PyTorch and torch_npu: with segments, addresses and stacks, which their traces alone do not tell. */
public final class SnapshotFormat implements RecordingFormat {
    private final SnapshotTraceReader trace = new SnapshotTraceReader();

    @Override
    public boolean recognises(FileHead head) {
        return trace.recognises(head);
    }

    @Override
    public List<String> endings() {
        return trace.endings();
    }

    @Override
    public Recording open(InputStream in, String source, OpenRequest request) throws IOException {
        return SnapshotHistory.of(new SnapshotReader().readWhatIsWhole(in), source, request);
    }
}
