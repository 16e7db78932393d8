package dev.lacuna.bridge.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.lacuna.bridge.wire.Field;
import dev.lacuna.bridge.wire.TelemetryLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LayoutTest {
    @Test
    void both_sides_of_the_wire_agree_on_every_offset_and_size() throws Exception {
        assertThat(TelemetryLayout.fields()).containsExactlyInAnyOrderElementsOf(layoutOfTheCompiler());
    }

    /** {@code lacuna_field[]}: a pointer to the name, offset, size; a null name ends it. */
    private static List<Field> layoutOfTheCompiler() throws Exception {
        NativeAgent.bind();
        List<Field> fields = new ArrayList<>();
        Pointer entry = NativeAgent.lacuna_layout();
        for (Pointer name = entry.getPointer(0); name != null; name = entry.getPointer(0)) {
            fields.add(new Field(
                    name.getString(0), entry.getInt(Native.POINTER_SIZE), entry.getInt(Native.POINTER_SIZE + 4)));
            entry = entry.share(Native.POINTER_SIZE + 8);
        }
        return fields;
    }
}
