package dev.lacuna.ui.places.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lacuna.ui.places.diagnose.CardPicture.Kind;
import dev.lacuna.ui.places.diagnose.CardPicture.Piece;
import dev.lacuna.ui.text.Texts;
import org.junit.jupiter.api.Test;

class CardPictureTest {
    private static final double GIB = 1L << 30;

    private static CardPicture picture(String log) {
        return CardPicture.of(MessagePiecesTest.report(log)).orElseThrow();
    }

    @Test
    void draws_the_example_to_scale() {
        CardPicture card = picture(Texts.of("diagnose").get("example"));
        assertThat(card.pieces())
                .extracting(Piece::kind)
                .containsExactly(Kind.ALLOCATED, Kind.GAP, Kind.FREE, Kind.OUTSIDE);
        assertThat(card.pieces().get(1).bytes() / GIB).isBetween(2.72, 2.74);
        assertThat(card.pieces().stream().mapToLong(Piece::bytes).sum()).isEqualTo(card.totalBytes());
        assertThat(card.neededFromBytes()).isEqualTo(card.pieces().get(0).bytes());
        assertThat(card.neededBytes()).hasValue(3384L << 20);
    }

    @Test
    void leaves_blank_what_the_message_does_not_tell() {
        CardPicture card =
                picture("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total"
                        + " capacity; 6.00 GiB already allocated; 1.00 GiB free; 16.00 MiB cached)");
        assertThat(card.pieces()).extracting(Piece::kind).contains(Kind.ALLOCATED, Kind.FREE);
        assertThat(card.pieces().stream().mapToLong(Piece::bytes).sum()).isEqualTo(card.totalBytes());
    }

    @Test
    void draws_nothing_without_a_capacity() {
        assertThat(CardPicture.of(MessagePiecesTest.report("HIP out of memory. Tried to allocate 2.00 GiB")))
                .isEmpty();
    }
}
