package dev.lacuna.core.base.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceNameTest {
    @ParameterizedTest
    @CsvSource({
        "cuda:1, cuda, 1, cuda 1, cuda:1",
        "cuda, cuda, 0, cuda 0, cuda:0",
        "GPU 3, cuda, 3, cuda 3, cuda:3",
        "npu:15, ascend, 15, npu 15, npu:15",
        "ascend:2, ascend, 2, npu 2, npu:2",
        "host, virtual, 0, virtual 0, host",
        "cpu, virtual, 0, virtual 0, host",
        "virtual:0, virtual, 0, virtual 0, host",
        "fake2:1, fake2, 1, fake2 1, fake2:1"
    })
    void reads_what_people_and_frameworks_write(String written, String backend, int index, String shown, String again) {
        DeviceName name = new DeviceName(new Backend(backend), index);
        assertThat(DeviceName.read(written)).contains(name);
        assertThat(name).hasToString(shown);
        assertThat(name.written()).isEqualTo(again);
        assertThat(DeviceName.read(again)).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "tpu",
                "Tpü:0",
                "averylongword123:0",
                "cuda:",
                "cuda:-1",
                "cuda:x",
                "cuda:1000",
                "cuda::1",
                ":1",
                "cuda:1 "
            })
    void names_no_other_device(String written) {
        assertThat(DeviceName.read(written)).isEmpty();
    }

    @Test
    void accelerators_come_before_the_host_and_stay_in_their_order() {
        DeviceName host = new DeviceName(Backend.VIRTUAL, 0);
        DeviceName first = new DeviceName(Backend.CUDA, 1);
        DeviceName second = new DeviceName(Backend.CUDA, 0);
        List<DeviceName> devices = new ArrayList<>(List.of(host, first, second));
        devices.sort(DeviceName.acceleratorsFirst(name -> name));
        assertThat(devices).containsExactly(first, second, host);
    }
}
