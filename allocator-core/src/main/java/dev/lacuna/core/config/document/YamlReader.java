package dev.lacuna.core.config.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** One YAML document as located values. Built from the parser's events, so that size, depth and aliases are bounded as they come. */
final class YamlReader {
    private static final String OWN_TAGS = "tag:yaml.org,2002:";
    private static final String MERGE = "<<";

    private final String text;
    private final Offsets offsets;
    private final Map<String, ConfigNode> anchors = new HashMap<>();
    private final Map<ConfigNode, Integer> sizes = new java.util.IdentityHashMap<>();
    private Iterator<Event> events = List.<Event>of().iterator();
    private int values;

    private YamlReader(String text) {
        this.text = text;
        this.offsets = new Offsets(text);
    }

    /** @throws ConfigFormatException when the text is no single, bounded YAML document */
    static ConfigDocument read(String text) throws ConfigFormatException {
        if (text.lines().anyMatch(line -> line.length() > ConfigLimits.LINE)) {
            throw new ConfigFormatException(ConfigProblem.TOO_LARGE, 1, Integer.toString(ConfigLimits.LINE));
        }
        try {
            return new YamlReader(text).document();
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw new ConfigFormatException(ConfigProblem.SYNTAX, line, String.valueOf(e.getProblem()));
        } catch (YamlEngineException e) {
            throw new ConfigFormatException(ConfigProblem.SYNTAX, 1, String.valueOf(e.getMessage()));
        }
    }

    private ConfigDocument document() throws ConfigFormatException {
        LoadSettings settings = LoadSettings.builder()
                .setCodePointLimit(ConfigLimits.CHARACTERS)
                .build();
        events = new Parse(settings).parseString(text).iterator();
        Optional<ConfigNode> root = Optional.empty();
        while (events.hasNext()) {
            Event event = events.next();
            switch (event.getEventId()) {
                case StreamStart, DocumentStart, DocumentEnd, StreamEnd, Comment -> {}
                default -> {
                    if (root.isPresent()) {
                        throw fault(ConfigProblem.SEVERAL_DOCUMENTS, event, "");
                    }
                    root = Optional.of(node(event, 0));
                }
            }
        }
        return new ConfigDocument(
                text, root.orElseThrow(() -> new ConfigFormatException(ConfigProblem.EMPTY, 1, "")), false);
    }

    private ConfigNode node(Event event, int depth) throws ConfigFormatException {
        if (depth > ConfigLimits.DEPTH) {
            throw fault(ConfigProblem.TOO_DEEP, event, Integer.toString(ConfigLimits.DEPTH));
        }
        if (event instanceof AliasEvent alias) {
            return aliased(alias);
        }
        int before = values;
        count(1, event);
        ConfigNode node;
        if (event instanceof ScalarEvent scalar) {
            node = scalar(scalar);
        } else {
            CollectionStartEvent start = (CollectionStartEvent) event;
            node = start.getEventId() == Event.ID.SequenceStart ? sequence(start, depth) : mapping(start, depth);
        }
        ((NodeEvent) event).getAnchor().ifPresent(anchor -> {
            anchors.put(anchor.getValue(), node);
            sizes.put(node, values - before);
        });
        return node;
    }

    private ConfigNode aliased(AliasEvent alias) throws ConfigFormatException {
        ConfigNode target = anchors.get(alias.getAlias().getValue());
        if (target == null) {
            throw fault(ConfigProblem.UNKNOWN_ALIAS, alias, alias.getAlias().getValue());
        }
        count(sizes.getOrDefault(target, 1), alias);
        return target.at(line(alias), begin(alias), end(alias));
    }

    private void count(int more, Event at) throws ConfigFormatException {
        values = Math.addExact(values, more);
        if (values > ConfigLimits.VALUES) {
            throw fault(ConfigProblem.TOO_MANY_VALUES, at, Integer.toString(ConfigLimits.VALUES));
        }
    }

    private ConfigNode scalar(ScalarEvent event) throws ConfigFormatException {
        String content = event.getValue();
        if (content.length() > ConfigLimits.DIGITS
                && Character.isDigit(content.charAt(content.length() - 1))
                && content.chars().allMatch(c -> Character.digit(c, 16) >= 0 || "+-_.xb:".indexOf(c) >= 0)) {
            throw fault(ConfigProblem.NUMBER_TOO_LONG, event, Integer.toString(content.length()));
        }
        ConfigValue resolved = event.isPlain() ? Yaml11Scalar.resolve(content) : ConfigValue.of(content);
        ConfigValue value =
                event.getTag().isPresent() ? tagged(event, event.getTag().get(), content) : resolved;
        return ConfigNode.scalar(value, line(event), begin(event), end(event));
    }

    private ConfigValue tagged(ScalarEvent event, String tag, String content) throws ConfigFormatException {
        ConfigValue plain = Yaml11Scalar.resolve(content);
        if (!tag.startsWith(OWN_TAGS) && !tag.equals("!")) {
            throw fault(ConfigProblem.UNKNOWN_TAG, event, tag);
        }
        boolean holds = switch (tag.equals("!") ? "str" : tag.substring(OWN_TAGS.length())) {
            case "str" -> {
                plain = ConfigValue.of(content);
                yield true;
            }
            case "int" -> plain instanceof ConfigValue.Whole;
            case "bool" -> plain instanceof ConfigValue.Flag;
            case "null" -> plain instanceof ConfigValue.Nothing;
            case "float" -> {
                if (plain instanceof ConfigValue.Whole whole) {
                    plain = new ConfigValue.Real(whole.value().doubleValue());
                }
                yield plain instanceof ConfigValue.Real;
            }
            default -> throw fault(ConfigProblem.UNKNOWN_TAG, event, tag);
        };
        if (!holds) {
            throw fault(ConfigProblem.WRONG_TAG, event, tag);
        }
        return plain;
    }

    private ConfigNode sequence(CollectionStartEvent start, int depth) throws ConfigFormatException {
        checkTag(start, "seq");
        List<ConfigNode> items = new ArrayList<>();
        Event event = events.next();
        while (event.getEventId() != Event.ID.SequenceEnd) {
            items.add(node(event, depth + 1));
            event = events.next();
        }
        int end = start.isFlow() || items.isEmpty()
                ? end(event)
                : items.get(items.size() - 1).end();
        return ConfigNode.sequence(items, line(start), begin(start), end, start.isFlow());
    }

    private ConfigNode mapping(CollectionStartEvent start, int depth) throws ConfigFormatException {
        checkTag(start, "map");
        List<ConfigNode.Entry> own = new ArrayList<>();
        List<ConfigNode.Entry> merged = new ArrayList<>();
        int last = begin(start);
        Event event = events.next();
        while (event.getEventId() != Event.ID.MappingEnd) {
            ConfigNode key = node(event, depth + 1);
            if (key.value() instanceof ConfigValue.Items || key.value() instanceof ConfigValue.Entries) {
                throw fault(ConfigProblem.COMPLEX_KEY, event, "");
            }
            boolean plain = event instanceof ScalarEvent scalar && scalar.isPlain();
            ConfigNode value = node(events.next(), depth + 1);
            String name = key.value() instanceof ConfigValue.Text t
                    ? t.value()
                    : key.value().written();
            if (plain && name.equals(MERGE)) {
                merge(value, event, merged);
            } else {
                own.add(new ConfigNode.Entry(name, key, value, false));
            }
            last = Math.max(last, Math.max(key.end(), value.end()));
            event = events.next();
        }
        List<ConfigNode.Entry> entries = new ArrayList<>(merged);
        entries.addAll(own);
        return ConfigNode.mapping(
                entries, line(start), begin(start), start.isFlow() ? end(event) : last, start.isFlow());
    }

    /** Of several mappings merged, the first that has a key wins. */
    private static void merge(ConfigNode value, Event at, List<ConfigNode.Entry> into) throws ConfigFormatException {
        List<ConfigNode> sources = value.value() instanceof ConfigValue.Items ? value.items() : List.of(value);
        for (int i = sources.size() - 1; i >= 0; i--) {
            if (!(sources.get(i).value() instanceof ConfigValue.Entries)) {
                throw fault(ConfigProblem.WRONG_MERGE, at, "");
            }
            for (ConfigNode.Entry entry : sources.get(i).entries()) {
                into.add(new ConfigNode.Entry(entry.key(), entry.keyNode(), entry.valueNode(), true));
            }
        }
    }

    private static void checkTag(CollectionStartEvent start, String own) throws ConfigFormatException {
        if (start.getTag().isPresent()
                && !start.getTag().get().equals(OWN_TAGS + own)
                && !start.getTag().get().equals("!")) {
            throw fault(ConfigProblem.UNKNOWN_TAG, start, start.getTag().get());
        }
    }

    private static ConfigFormatException fault(ConfigProblem problem, Event at, String detail) {
        return new ConfigFormatException(problem, line(at), detail);
    }

    private static int line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    private int begin(Event event) {
        return event.getStartMark().map(this::offset).orElse(0);
    }

    private int end(Event event) {
        return event.getEndMark().map(this::offset).orElse(text.length());
    }

    private int offset(Mark mark) {
        return offsets.of(mark.getIndex());
    }

    /** The parser counts code points, strings count chars. */
    private static final class Offsets {
        private final int[] chars;

        Offsets(String text) {
            boolean astral = text.chars().anyMatch(c -> Character.isSurrogate((char) c));
            chars = astral ? new int[text.codePointCount(0, text.length()) + 1] : new int[0];
            for (int i = 0, at = 0; i < chars.length; i++) {
                chars[i] = at;
                at += at < text.length() ? Character.charCount(text.codePointAt(at)) : 0;
            }
        }

        int of(int codePoints) {
            return chars.length == 0 ? codePoints : chars[Math.min(codePoints, chars.length - 1)];
        }
    }
}
