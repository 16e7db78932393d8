package dev.lacuna.app.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.app.cli.output.WatchedMemory.Moment;
import dev.lacuna.core.diagnosis.report.TableText;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class WatchedMemoryTest {
    private static final int ALLOCATED = 0xFF2A6FBB;
    private static final int RESERVED = 0xFFF2C078;
    private static final int ALARM = 0xFFC62828;

    @Test
    void no_peak_and_no_failure_is_lost_when_it_is_full() {
        WatchedMemory watched = new WatchedMemory("virtual:0", 8);
        IntStream.range(0, 100).forEach(i -> watched.add(moment(i, i == 77 ? 900 : 100, 50, i == 33 ? 1 : 0)));
        assertThat(watched.moments()).hasSizeLessThanOrEqualTo(8);
        assertThat(watched.moments().get(0).timeMs()).isZero();
        assertThat(watched.moments()).isSortedAccordingTo((a, b) -> Long.compare(a.timeMs(), b.timeMs()));
        assertThat(watched.mostReservedBytes()).isEqualTo(900);
        assertThat(watched.moments().stream().mapToLong(Moment::failures).sum()).isEqualTo(1);
    }

    @Test
    void the_picture_shows_both_in_time_and_where_a_request_failed() throws IOException {
        WatchedMemory watched = new WatchedMemory("cuda:0");
        watched.add(moment(1_000, 100, 0, 0));
        watched.add(moment(2_000, 100, 50, 1));
        watched.add(moment(3_000, 100, 50, 0));
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(CurveImage.png(watched)));
        int low = 470;
        assertThat(image.getRGB(110, low)).isEqualTo(RESERVED);
        assertThat(image.getRGB(1500, low)).isEqualTo(ALLOCATED);
        assertThat(IntStream.range(700, 1000)
                        .filter(x -> image.getRGB(x, 50) == ALARM)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void where_nothing_was_seen_for_a_while_the_curve_stays_where_it_was() throws IOException {
        WatchedMemory watched = new WatchedMemory("cuda:0");
        IntStream.range(0, 50).forEach(i -> watched.add(moment(i, 100, 50, 0)));
        watched.add(moment(100_000, 100, 50, 0)); // it was stopped
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(CurveImage.png(watched)));
        assertThat(IntStream.range(110, 1570)).allMatch(x -> image.getRGB(x, 470) == ALLOCATED);
    }

    @Test
    void a_clock_that_is_set_back_takes_nothing_out_of_the_picture() throws IOException {
        WatchedMemory watched = new WatchedMemory("cuda:0");
        watched.add(moment(1_000, 100, 50, 0));
        watched.add(moment(9_000, 100, 50, 1));
        watched.add(moment(500, 100, 50, 0));
        assertThat(ImageIO.read(new ByteArrayInputStream(CurveImage.png(watched)))
                        .getRGB(110, 470))
                .isEqualTo(ALLOCATED);
    }

    @Test
    void nothing_seen_is_a_picture_too() throws IOException {
        assertThat(ImageIO.read(new ByteArrayInputStream(CurveImage.png(new WatchedMemory("cuda:0")))))
                .isNotNull();
    }

    @Test
    void the_table_has_every_device() {
        WatchedMemory one = new WatchedMemory("cuda:0");
        one.add(moment(1, 100, 50, 0));
        WatchedMemory other = new WatchedMemory("cuda:1");
        other.add(moment(1, 30, 20, 2));
        assertThat(TableText.csv(WatchedMemory.table(List.of(one, other))).lines())
                .containsExactly(
                        "device,time_ms,reserved_bytes,allocated_bytes,limit_bytes,failures",
                        "cuda:0,1,100,50,1000,0",
                        "cuda:1,1,30,20,1000,2");
    }

    private static Moment moment(long timeMs, long reserved, long allocated, long failures) {
        return new Moment(timeMs, reserved, allocated, 1000, failures);
    }
}
