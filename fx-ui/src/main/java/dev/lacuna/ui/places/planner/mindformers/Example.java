package dev.lacuna.ui.places.planner.mindformers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A configuration that comes with the program. */
final class Example {
    private Example() {}

    static String text() throws IOException {
        try (InputStream in = Example.class.getResourceAsStream("example.yaml")) {
            if (in == null) {
                throw new IOException("the example is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
