package dev.lacuna.ui.places.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lacuna.core.diagnosis.oom.OomLogReader;
import dev.lacuna.ui.fakes.FakeLogFiles;
import dev.lacuna.ui.fakes.FakeProcesses;
import dev.lacuna.ui.places.diagnose.DiagnoseViewModel.State;
import dev.lacuna.ui.session.Session;
import dev.lacuna.ui.settings.StoredSettings;
import dev.lacuna.ui.settings.UiSettings;
import dev.lacuna.ui.task.CurrentThreadTaskExecutor;
import dev.lacuna.ui.text.Language;
import dev.lacuna.ui.text.Texts;
import dev.lacuna.ui.window.NoticeBoard;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of memory as the window shows them: alone, and beside the report that they belong to. */
class ListingPictureTest {
    static final String TABLE = """
            |===============================+======================+======================|
            |   0  Tesla T4            Off  | 00000000:00:04.0 Off |                    0 |
            | N/A   65C    P0    70W /  70W |  14000MiB / 15000MiB |     99%      Default |
            +-------------------------------+----------------------+----------------------+
            | Processes:                                                                  |
            |    0   N/A  N/A      4242      C   python                          10500MiB |
            |    0   N/A  N/A      5151      C   tensorboard                      3500MiB |
            +-----------------------------------------------------------------------------+
            """;

    private static final String FAILURE = """
            W bfc_allocator.cc:1] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op
            I bfc_allocator.cc:2] Bin (256): 	Total Chunks: 4, Chunks in use: 2. 2.00GiB allocated for chunks. 512.0MiB in use in bin. 500.0MiB client-requested in use in bin.
            I bfc_allocator.cc:2] Bin (512): 	Total Chunks: 4, Chunks in use: 4. 1.00GiB allocated for chunks. 1.00GiB in use in bin. 1.00GiB client-requested in use in bin.
            """;

    private final CurrentThreadTaskExecutor executor = new CurrentThreadTaskExecutor();
    private final UiSettings settings = new UiSettings(StoredSettings.DEFAULTS);
    private final DiagnoseViewModel model = new DiagnoseViewModel(
            new Session(new FakeProcesses(), executor, Runnable::run, p -> CompletableFuture.completedFuture(true)),
            settings,
            executor,
            Runnable::run,
            new NoticeBoard(executor),
            new FakeLogFiles());

    @BeforeEach
    @AfterEach
    void speak_english() {
        Texts.languageProperty().unbind();
        Texts.languageProperty().set(Language.ENGLISH);
    }

    @Test
    void a_table_alone_is_no_verdict_and_says_who_holds_how_much() {
        model.diagnose("pasted text", TABLE);
        assertThat(model.stateProperty().get()).isEqualTo(State.NOTHING_FOUND);
        ListingWords words = model.listingsProperty().get().get(0);
        assertThat(words.picture().title()).contains("nvidia-smi").contains("GPU 0");
        assertThat(words.picture().bars())
                .extracting(ListingPicture.Bar::name)
                .containsExactly("capacity", "in use", "python · 4242", "tensorboard · 5151");
        assertThat(words.picture().bars().get(2).share()).isEqualTo(0.7, within(0.001));
        assertThat(words.findings().get(0).sentence()).contains("GPU 0").contains("1000 MiB");
        assertThat(words.next().get(0).command())
                .hasValueSatisfying(c -> assertThat(c).contains("4242,5151"));
        settings.gapThresholdBytesProperty().set(2L << 30);
        assertThat(model.listingsProperty().get()).hasSize(1);
        Texts.languageProperty().set(Language.CHINESE);
        assertThat(model.listingsProperty().get().get(0).picture().title()).contains("的表");
        model.diagnose("pasted text", "nothing at all");
        assertThat(model.listingsProperty().get()).isEmpty();
    }

    @Test
    void bins_of_an_allocator_are_bars_beside_their_report_in_which_what_is_in_use_stands_out() {
        ListingPicture picture = ListingPicture.of(
                OomLogReader.read(FAILURE).reports().get(0).listings().get(0));
        assertThat(picture.bars()).hasSize(2);
        assertThat(picture.bars().get(0).share()).isEqualTo(1.0);
        assertThat(picture.bars().get(0).used()).isEqualTo(0.25, within(0.001));
        assertThat(picture.bars().get(1).used()).isEqualTo(0.5, within(0.001));
        model.diagnose("pasted text", FAILURE);
        assertThat(model.stateProperty().get()).isEqualTo(State.VERDICT);
        assertThat(model.markdown().orElseThrow()).contains(picture.title()).contains("≥ 256 B");
    }
}
