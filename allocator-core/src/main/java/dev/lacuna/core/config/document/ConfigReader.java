package dev.lacuna.core.config.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads a configuration file, YAML or JSON by its content and never by its name. */
public final class ConfigReader {
    /** UTF-8 takes at most four bytes a character. */
    private static final int MOST_BYTES = 4 * ConfigLimits.CHARACTERS;

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private ConfigReader() {}

    /**
     * Reads a stream to its end, or to the limit.
     *
     * @throws ConfigFormatException when the content is neither YAML nor JSON, or larger than any configuration
     * @throws IOException when it cannot be read
     */
    public static ConfigDocument read(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new ConfigFormatException(ConfigProblem.TOO_LARGE, 1, Integer.toString(ConfigLimits.CHARACTERS));
        }
        try {
            return read(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new ConfigFormatException(ConfigProblem.NOT_TEXT, 1, "");
        }
    }

    /** @throws ConfigFormatException when the text is neither YAML nor JSON, or larger than any configuration */
    public static ConfigDocument read(String text) throws ConfigFormatException {
        if (text.length() > ConfigLimits.CHARACTERS) {
            throw new ConfigFormatException(ConfigProblem.TOO_LARGE, 1, Integer.toString(ConfigLimits.CHARACTERS));
        }
        String bare = text.indexOf(BYTE_ORDER_MARK) == 0 ? text.substring(1) : text;
        String content = bare.strip();
        if (!content.startsWith("{") && !content.startsWith("[")) {
            return YamlReader.read(bare);
        }
        try {
            return JsonConfigReader.read(bare);
        } catch (ConfigFormatException json) {
            if (json.problem() != ConfigProblem.SYNTAX) {
                throw json;
            }
            return yamlInBrackets(bare, json);
        }
    }

    /** {@code {a: 1}} is YAML's flow style; what fails as both is told as JSON, which it more likely was meant to be. */
    private static ConfigDocument yamlInBrackets(String text, ConfigFormatException json) throws ConfigFormatException {
        try {
            return YamlReader.read(text);
        } catch (ConfigFormatException yaml) {
            throw json;
        }
    }
}
