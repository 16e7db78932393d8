package dev.lacuna.bridge.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class NvmlInventoryTest {
    private static Path library;

    @BeforeAll
    static void compile_the_double() throws Exception {
        Path folder = Files.createDirectories(Path.of("target", "nvml").toAbsolutePath());
        Path source = folder.resolve("nvml_double.c");
        try (var in = NvmlInventoryTest.class.getResourceAsStream("/nvml_double.c")) {
            Files.write(source, in.readAllBytes());
        }
        library = folder.resolve("libnvml_double.so");
        assertThat(new ProcessBuilder("gcc", "-shared", "-fPIC", source.toString(), "-o", library.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void lists_devices_with_who_holds_their_memory() {
        List<DeviceFacts> devices = new NvmlInventory(library.toString()).devices();
        assertThat(devices).extracting(DeviceFacts::name).containsExactly("Double H200", "Double T4");
        assertThat(devices.get(0).totalBytes()).isEqualTo(150L << 30);
        assertThat(devices.get(0).freeBytes()).isEqualTo(149L << 30);
        assertThat(devices.get(0).processes()).hasSize(40).contains(new DeviceHolder(139, OptionalLong.of(40L << 20)));
        assertThat(devices.get(1).processes()).containsExactly(new DeviceHolder(100, OptionalLong.empty()));
    }

    @Test
    void leaves_the_driver_as_it_found_it() {
        new NvmlInventory(library.toString()).devices();
        assertThat(NativeLibrary.getInstance(library.toString())
                        .getFunction("balance")
                        .invokeInt(new Object[0]))
                .isZero();
    }

    @Test
    void a_machine_without_the_driver_has_no_devices() {
        assertThat(new NvmlInventory("/nowhere/libnvidia-ml.so.1").devices()).isEmpty();
    }

    @Test
    void a_library_that_is_something_else_has_no_devices() {
        assertThat(new NvmlInventory("libc.so.6").devices()).isEmpty();
    }
}
