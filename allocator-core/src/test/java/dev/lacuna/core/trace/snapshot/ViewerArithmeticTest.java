package dev.lacuna.core.trace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lacuna.core.ConformanceSets;
import dev.lacuna.core.trace.snapshot.model.BlockState;
import dev.lacuna.core.trace.snapshot.model.MemorySnapshot;
import dev.lacuna.core.trace.snapshot.model.SnapshotBlocks;
import dev.lacuna.core.trace.snapshot.model.SnapshotDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sums of every snapshot of the collection are those that PyTorch's own viewer works out, where a PyTorch is installed. */
@Tag("conformance")
class ViewerArithmeticTest {
    /** Prints a line per file: its name and the viewer's exact sums, or what the viewer says is wrong with it. */
    private static final String VIEWER = String.join(
            "\n",
            "import importlib.util, os, pickle, re, sys",
            "where = importlib.util.find_spec('torch').submodule_search_locations[0]",
            "spec = importlib.util.spec_from_file_location('viewer', os.path.join(where, 'cuda', '_memory_viz.py'))",
            "viewer = importlib.util.module_from_spec(spec)",
            "spec.loader.exec_module(viewer)",
            "viewer._format_size = str",
            "for path in sys.argv[1:]:",
            "    with open(path, 'rb') as file:",
            "        data = pickle.load(file)",
            "    if isinstance(data, list):",
            "        data = {'segments': data}",
            "    try:",
            "        text = viewer.segsum(data)",
            "        sums = [re.search(name + r': (\\d+)', text).group(1) for name in",
            "                ('segments', 'total_reserved', 'total_allocated', 'total_free')]",
            "        print(path, *sums)",
            "    except (AssertionError, KeyError) as why:",
            "        print(path, 'none', repr(why)[:80].replace(' ', '_'))");

    @Test
    void is_ours() throws Exception {
        Optional<String> python = python();
        assumeThat(python)
                .as("a Python with a PyTorch whose viewer sums segments")
                .isPresent();
        List<Path> files = new ArrayList<>();
        for (Path set : ConformanceSets.withColumns("file", "trace_events", "reserved_bytes")) {
            try (Stream<Path> names = Files.list(set)) {
                names.filter(f -> f.toString().matches(".*\\.(?:pickle|pkl)"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        assumeThat(files).as("snapshots").isNotEmpty();
        int compared = 0;
        for (String line : viewer(python.get(), files)) {
            String[] words = line.split(" ");
            if (!words[1].equals("none")) {
                compare(Path.of(words[0]), words);
                compared++;
            }
        }
        System.out.printf("%d of %d snapshots summed by PyTorch's viewer%n", compared, files.size());
        assertThat(compared).isGreaterThan(files.size() * 3 / 4);
    }

    /** The viewer counts what was asked for of blocks that a tensor uses as allocated, and all the rest as free. */
    private static void compare(Path file, String[] sums) throws IOException {
        MemorySnapshot snapshot = new SnapshotReader().read(file);
        long segments = 0;
        long reserved = 0;
        long allocated = 0;
        for (SnapshotDevice device : snapshot.devices()) {
            segments += device.segments().size();
            reserved += device.reservedBytes();
            SnapshotBlocks blocks = device.blocks();
            for (int b = 0; b < blocks.size(); b++) {
                allocated += blocks.state(b) == BlockState.ALLOCATED ? blocks.requestedBytes(b) : 0;
            }
        }
        assertThat(List.of(segments, reserved, allocated, reserved - allocated))
                .as(file.getFileName() + ": segments, reserved, allocated, free")
                .containsExactly(
                        Long.valueOf(sums[1]), Long.valueOf(sums[2]), Long.valueOf(sums[3]), Long.valueOf(sums[4]));
    }

    private static List<String> viewer(String python, List<Path> files) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(python, "-B", "-c", VIEWER));
        files.forEach(file -> command.add(file.toString()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor()).as("the viewer's exit status").isZero();
        return lines;
    }

    private static Optional<String> python() throws IOException, InterruptedException {
        for (String python : new String[] {System.getenv("LACUNA_CUDA_PYTHON"), "/usr/bin/python3", "python3"}) {
            if (python != null && knowsTorch(python)) {
                return Optional.of(python);
            }
        }
        return Optional.empty();
    }

    private static boolean knowsTorch(String python) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(
                            python,
                            "-c",
                            "import importlib.util, os, sys\n"
                                    + "spec = importlib.util.find_spec('torch')\n"
                                    + "where = spec.submodule_search_locations[0] if spec else ''\n"
                                    + "path = os.path.join(where, 'cuda', '_memory_viz.py')\n"
                                    + "sys.exit(not os.path.exists(path) or 'def segsum' not in open(path).read())")
                    .redirectErrorStream(true)
                    .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
