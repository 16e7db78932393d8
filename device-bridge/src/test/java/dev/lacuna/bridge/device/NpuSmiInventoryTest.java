package dev.lacuna.bridge.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpuSmiInventoryTest {
    private static final long MIB = 1L << 20;

    /** One chip a card; a process whose name is not told. */
    private static final String CARDS = """
            +------------------------------------------------------------------------------------------------+
            | npu-smi 24.1.0                   Version: 24.1.0                                               |
            +---------------------------+---------------+----------------------------------------------------+
            | NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
            | Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
            +===========================+===============+====================================================+
            | 2     910B3               | OK            | 93.7        41                0    / 0             |
            | 0                         | 0000:C1:00.0  | 12          0    / 0          30371/ 65536         |
            +===========================+===============+====================================================+
            | 5     910B3               | Warning       | 90.1        40                0    / 0             |
            | 0                         | 0000:01:00.0  | 0           0    / 0          3359 / 65536         |
            +===========================+===============+====================================================+
            +---------------------------+---------------+----------------------------------------------------+
            | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
            +===========================+===============+====================================================+
            | 2       0                 | 12345         | python3                  | 27012                   |
            | 2       0                 | 907864        |                          | 134                     |
            +===========================+===============+====================================================+
            | No running processes found in NPU 5                                                            |
            +===========================+===============+====================================================+
            """;

    /** Two chips a card, with their own numbers, and a column more. */
    private static final String CHIPS = """
            | NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
            | Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
            | 1     Ascend910           | OK            | 186.3       36                0    / 0             |
            | 0     2                   | 0000:99:00.0  | 0           0    / 0          3415 / 65536         |
            | 1     Ascend910           | OK            | -           36                0    / 0             |
            | 1     3                   | 0000:9B:00.0  | 0           0    / 0          3195 / 65536         |
            | NPU     Chip              | Process id    | Process name             | Process memory(MB)      |Process id in container|
            | 1       1                 | 77            | python                   | 512                     | 9 |
            """;

    @TempDir
    private Path folder;

    private long nowNs;

    @Test
    void chips_and_who_holds_their_memory_are_read() {
        assertThat(NpuSmiTable.read(CARDS))
                .containsExactly(
                        new DeviceFacts(
                                0,
                                "910B3",
                                65536 * MIB,
                                35165 * MIB,
                                List.of(
                                        new DeviceHolder(12345, OptionalLong.of(27012 * MIB)),
                                        new DeviceHolder(907864, OptionalLong.of(134 * MIB)))),
                        new DeviceFacts(1, "910B3", 65536 * MIB, 62177 * MIB, List.of()));
    }

    @Test
    void chips_with_numbers_of_their_own_keep_them() {
        List<DeviceFacts> chips = NpuSmiTable.read(CHIPS);
        assertThat(chips).extracting(DeviceFacts::index).containsExactly(2, 3);
        assertThat(chips.get(1).processes()).containsExactly(new DeviceHolder(77, OptionalLong.of(512 * MIB)));
    }

    @Test
    void of_a_chip_without_such_memory_the_other_counts() {
        String inference = "| 0     310P3 | OK | NA 45 0 / 0 |\n| 0     0 | 0000:01:00.0 | 0 1234 / 21527 |\n";
        assertThat(NpuSmiTable.read(inference))
                .containsExactly(new DeviceFacts(0, "310P3", 21527 * MIB, 20293 * MIB, List.of()));
    }

    @Test
    void other_text_is_no_device() {
        assertThat(NpuSmiTable.read("dcmi module initialize failed. ret is -8005\n| a | b |\n|||||\n"))
                .isEmpty();
    }

    @Test
    void the_program_is_asked_once_in_a_while() throws Exception {
        install("echo x >>\"$0.asked\"\ncat <<'END'\n" + CARDS + "END\n");
        DeviceInventory npus = new NpuSmiInventory("relative:" + folder, () -> nowNs);
        assertThat(npus.devices()).hasSize(2);
        assertThat(npus.devices()).hasSize(2);
        nowNs += 11_000_000_000L;
        npus.devices();
        assertThat(Files.readAllLines(folder.resolve("npu-smi.asked"))).hasSize(2);
    }

    @Test
    void a_program_that_fails_has_no_devices() throws Exception {
        install("echo 'no driver' >&2\nexit 1\n");
        assertThat(new NpuSmiInventory(folder.toString(), () -> nowNs).devices())
                .isEmpty();
    }

    private void install(String script) throws Exception {
        Path program = folder.resolve("npu-smi");
        Files.writeString(program, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
