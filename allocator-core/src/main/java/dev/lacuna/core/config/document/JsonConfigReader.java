package dev.lacuna.core.config.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** One JSON document as located values. Of a key that is given twice the last holds, as in Python. */
final class JsonConfigReader {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(ConfigLimits.DEPTH + 1)
                    .maxNumberLength(ConfigLimits.DIGITS)
                    .build())
            .build();

    private final JsonParser parser;
    private int values;
    private int depth;

    private JsonConfigReader(JsonParser parser) {
        this.parser = parser;
    }

    /** @throws ConfigFormatException when the text is no single, bounded JSON document */
    static ConfigDocument read(String text) throws ConfigFormatException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new ConfigFormatException(ConfigProblem.EMPTY, 1, "");
            }
            ConfigNode root = new JsonConfigReader(parser).node();
            if (parser.nextToken() != null) {
                throw new ConfigFormatException(
                        ConfigProblem.SYNTAX, parser.currentTokenLocation().getLineNr(), parser.getText());
            }
            return new ConfigDocument(text, root, true);
        } catch (StreamConstraintsException e) {
            throw new ConfigFormatException(ConfigProblem.NUMBER_TOO_LONG, 1, "> " + ConfigLimits.DIGITS);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new ConfigFormatException(ConfigProblem.SYNTAX, line, e.getOriginalMessage());
        } catch (ConfigFormatException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ConfigNode node() throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        int begin = (int) parser.currentTokenLocation().getCharOffset();
        if (++values > ConfigLimits.VALUES) {
            throw new ConfigFormatException(ConfigProblem.TOO_MANY_VALUES, line, Integer.toString(ConfigLimits.VALUES));
        }
        if (depth >= ConfigLimits.DEPTH) {
            throw new ConfigFormatException(ConfigProblem.TOO_DEEP, line, Integer.toString(ConfigLimits.DEPTH));
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line, begin);
            case START_ARRAY -> sequence(line, begin);
            default -> {
                ConfigValue value = scalar();
                // Asking for the value makes the parser read it to its end.
                yield ConfigNode.scalar(value, line, begin, end());
            }
        };
    }

    private ConfigValue scalar() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> ConfigValue.nothing();
            case VALUE_TRUE -> ConfigValue.of(true);
            case VALUE_FALSE -> ConfigValue.of(false);
            case VALUE_NUMBER_INT -> new ConfigValue.Whole(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> new ConfigValue.Real(parser.getDoubleValue());
            default -> ConfigValue.of(parser.getText());
        };
    }

    private ConfigNode sequence(int line, int begin) throws IOException {
        List<ConfigNode> items = new ArrayList<>();
        depth++;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.add(node());
        }
        depth--;
        return ConfigNode.sequence(items, line, begin, end(), true);
    }

    private ConfigNode mapping(int line, int begin) throws IOException {
        List<ConfigNode.Entry> entries = new ArrayList<>();
        depth++;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            int keyLine = parser.currentTokenLocation().getLineNr();
            int keyBegin = (int) parser.currentTokenLocation().getCharOffset();
            String name = parser.currentName();
            ConfigNode key = ConfigNode.scalar(ConfigValue.of(name), keyLine, keyBegin, end());
            parser.nextToken();
            entries.add(new ConfigNode.Entry(name, key, node(), false));
        }
        depth--;
        return ConfigNode.mapping(entries, line, begin, end(), true);
    }

    private int end() {
        return (int) parser.currentLocation().getCharOffset();
    }
}
