package dev.lacuna.app.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.lacuna.app.cli.output.CommandFailure;
import dev.lacuna.app.cli.output.ExitStatus;
import dev.lacuna.core.base.counters.Backend;
import dev.lacuna.core.base.counters.DeviceName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceArgumentTest {
    private static final DeviceName HOST = new DeviceName(Backend.VIRTUAL, 0);

    private static DeviceName gpu(int index) {
        return new DeviceName(Backend.CUDA, index);
    }

    /** In the order in which samples tell them. */
    private static Map<Integer, DeviceName> devices(Object... numbersAndNames) {
        Map<Integer, DeviceName> devices = new LinkedHashMap<>();
        for (int i = 0; i < numbersAndNames.length; i += 2) {
            devices.put((Integer) numbersAndNames[i], (DeviceName) numbersAndNames[i + 1]);
        }
        return devices;
    }

    private static int in(String written, Map<Integer, DeviceName> devices) {
        return DeviceArgument.read(written).orElseThrow().in(devices);
    }

    @Test
    void nothing_means_the_first_accelerator_else_the_host() {
        assertThat(DeviceArgument.USUAL.in(devices(0, gpu(0), 15, HOST))).isZero();
        assertThat(DeviceArgument.USUAL.in(devices(3, gpu(3), 15, HOST))).isEqualTo(3);
        assertThat(DeviceArgument.USUAL.in(devices(1, gpu(0), 0, HOST))).isEqualTo(1);
        assertThat(DeviceArgument.USUAL.in(devices(0, HOST))).isZero();
        assertThat(DeviceArgument.USUAL.in(devices())).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "cuda:0, 1", "cuda:1, 2", "gpu, 1", "host, 0", "cpu, 0", "7, 7"})
    void a_number_is_the_accelerators_own_wherever_it_stands_in_the_table(String written, int number) {
        assertThat(in(written, devices(1, gpu(0), 2, gpu(1), 0, HOST))).isEqualTo(number);
    }

    @Test
    void a_number_is_the_hosts_where_there_is_nothing_else() {
        assertThat(in("0", devices(0, HOST))).isZero();
        assertThat(in("3", devices(0, HOST))).as("which the agent refuses").isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"cuda:2", "npu:0", "host"})
    void a_device_that_the_process_lacks_is_refused_with_those_that_it_has(String written) {
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> in(written, devices(0, gpu(0), 1, gpu(1))))
                .withMessageContaining(written)
                .withMessageContaining("cuda:0, cuda:1")
                .satisfies(failure -> assertThat(failure.status()).isEqualTo(ExitStatus.PROCESS));
    }
}
