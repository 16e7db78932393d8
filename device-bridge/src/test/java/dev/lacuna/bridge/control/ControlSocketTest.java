package dev.lacuna.bridge.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lacuna.bridge.BridgeException;
import dev.lacuna.bridge.BridgeException.Reason;
import dev.lacuna.bridge.process.LinuxProcesses;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlSocketTest {
    /** Long enough for a loaded machine where an answer is expected, and short where none is. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    private Path directory;

    private Path path;
    private ServerSocketChannel server;
    private UserPrincipal me;

    @BeforeEach
    void listen() throws Exception {
        path = directory.resolve("1-1.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path), 1);
        me = LinuxProcesses.user(new LinuxProcesses().ownUid());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void brings_the_reply_line_and_nothing_behind_it() throws Exception {
        Thread peer = answering("ok pid=1\nmore");
        assertThat(exchange(LONG)).isEqualTo("ok pid=1");
        peer.join();
    }

    @Test
    void a_reply_in_pieces_is_put_together() throws Exception {
        Thread peer = serving(client -> {
            for (String piece : new String[] {"o", "k pi", "d=1", "\n"}) {
                client.write(bytes(piece));
                Thread.onSpinWait();
            }
        });
        assertThat(exchange(LONG)).isEqualTo("ok pid=1");
        peer.join();
    }

    @Test
    void gives_up_on_a_peer_that_never_accepts() throws Exception {
        assertFails(SHORT, Reason.TIMED_OUT);
    }

    @Test
    void gives_up_on_a_full_queue_and_says_that_nothing_was_sent() throws Exception {
        try (SocketChannel first = SocketChannel.open(UnixDomainSocketAddress.of(path));
                SocketChannel second = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            assertThat(first.isConnected() && second.isConnected()).isTrue();
            assertThatThrownBy(() -> exchange(SHORT)).hasMessageContaining("nothing was sent");
        }
    }

    @Test
    void gives_up_on_a_peer_that_drips_without_end() throws Exception {
        Thread peer = serving(client -> {
            while (true) {
                client.write(bytes("x"));
                Thread.sleep(20);
            }
        });
        assertFails(SHORT, Reason.TIMED_OUT);
        peer.join();
    }

    @Test
    void refuses_a_reply_without_bound() throws Exception {
        Thread peer = answering("x".repeat(ControlSocket.MAX_REPLY_BYTES + 1));
        assertFails(LONG, Reason.UNREADABLE);
        peer.join();
    }

    @Test
    void says_gone_when_the_peer_hangs_up_without_an_answer() throws Exception {
        Thread peer = answering("");
        assertFails(LONG, Reason.GONE);
        peer.join();
    }

    @Test
    void says_gone_when_nobody_listens_or_the_socket_is_not_there() throws Exception {
        server.close();
        assertFails(LONG, Reason.GONE);
        assertThat(AgentControl.answers(path)).isFalse();
        Files.delete(path);
        assertFails(LONG, Reason.GONE);
    }

    @Test
    void does_not_talk_to_another_user_s_process() throws Exception {
        UserPrincipal somebody = directory
                .getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(Integer.toString(new LinuxProcesses().ownUid() + 1));
        assertThatThrownBy(() -> new ControlSocket(path, somebody, LONG).exchange("hello"))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NOT_PERMITTED));
    }

    @Test
    void sends_one_bounded_line_only() {
        assertThatThrownBy(() -> new ControlSocket(path, me, LONG).exchange("set\nset"))
                .isInstanceOf(BridgeException.class);
        assertThatThrownBy(() -> new ControlSocket(path, me, LONG).exchange("x".repeat(512)))
                .isInstanceOf(BridgeException.class);
    }

    private String exchange(Duration patience) throws BridgeException {
        return new ControlSocket(path, me, patience).exchange("hello");
    }

    private void assertFails(Duration patience, Reason reason) {
        assertThatThrownBy(() -> exchange(patience))
                .isInstanceOfSatisfying(
                        BridgeException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private interface Behaviour {
        void towards(SocketChannel client) throws IOException, InterruptedException;
    }

    private Thread answering(String reply) {
        return serving(client -> client.write(bytes(reply)));
    }

    private Thread serving(Behaviour behaviour) {
        Thread peer = new Thread(() -> {
            try (SocketChannel client = server.accept()) {
                client.read(ByteBuffer.allocate(512));
                behaviour.towards(client);
            } catch (IOException | InterruptedException e) {
                // The client went away first, as some tests want it to.
            }
        });
        peer.start();
        return peer;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
