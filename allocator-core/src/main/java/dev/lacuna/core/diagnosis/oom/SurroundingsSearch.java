package dev.lacuna.core.diagnosis.oom;

import dev.lacuna.core.diagnosis.oom.grammar.AnchorSearch;
import dev.lacuna.core.diagnosis.oom.model.Surroundings;
import dev.lacuna.core.diagnosis.oom.model.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Collects what lines tell of where a log was printed. Words that advice and documentation use too are none: a path, a
 * process's name or a launcher's own line is meant.
 */
final class SurroundingsSearch {
    /** Lines at the start that are looked at whatever they say: what was started stands there. */
    private static final int FIRST_LINES = 5_000;

    /** Characters of a line that are looked at. */
    private static final int LONGEST = 4_000;

    private static final List<Trait> OF_WORD = new ArrayList<>();
    private static final List<Integer> LENGTH_OF_WORD = new ArrayList<>();
    private static final AnchorSearch SEARCH;

    static {
        List<String> words = new ArrayList<>();
        TraitWords.WORDS.forEach((trait, theirs) -> theirs.forEach(word -> {
            words.add(word);
            OF_WORD.add(trait);
            LENGTH_OF_WORD.add(word.length());
        }));
        SEARCH = new AnchorSearch(words);
    }

    /** What serves by its name. */
    private static final Set<Trait> SERVERS = EnumSet.of(
            Trait.VLLM,
            Trait.VLLM_OMNI,
            Trait.SGLANG,
            Trait.TGI,
            Trait.TRITON,
            Trait.LMDEPLOY,
            Trait.TENSORRT_LLM,
            Trait.LLAMA_CPP,
            Trait.OLLAMA,
            Trait.IMAGE_UI,
            Trait.COMFYUI,
            Trait.DIFFUSERS,
            Trait.WHISPER);

    /** TensorFlow's lines begin with a date; 2.4 came in December 2020. */
    private static final Pattern BEFORE_ASYNC =
            Pattern.compile("\\b20(?:1\\d-\\d\\d|20-(?:0\\d|1[01]))-\\d\\d [\\d:.]{8,16}: [IWEF] tensorflow/");

    private static final Set<Trait> OF_PICTURES = EnumSet.of(Trait.IMAGE_UI, Trait.COMFYUI, Trait.DIFFUSERS);

    /** {@code amdgpu 0000:c5:00.0: amdgpu: VRAM: 98304M 0x…}, as the kernel prints it. */
    private static final Pattern VRAM = Pattern.compile("amdgpu: VRAM: (\\d{1,9})M ");

    /** What consoles of Windows print where a script pauses, in the languages of those who paste it. */
    private static final List<String> PAUSES = List.of(
            "Press any key to continue",
            "Dr\u00fccken Sie eine beliebige Taste",
            "Appuyez sur une touche",
            "Presione una tecla",
            "\u8bf7\u6309\u4efb\u610f\u952e\u7ee7\u7eed");

    /** A user's answer: {@code OS: Windows 11}, {@code win platform}, or the one word under an issue's question. */
    private static final Pattern ON_WINDOWS =
            Pattern.compile("^[\\s>*-]{0,8}(?:\\[[xX]\\] ?)?Windows(?: (?:7|8|8\\.1|10|11))?\\s{0,8}$"
                    + "|\\b(?:OS|[Oo]perating [Ss]ystem|[Pp]latform)[*\"']{0,3} ?[:=][*\"' ]{0,4}(?:Microsoft )?[Ww]indows"
                    + "|\\b[Ww]in(?:dows)? platform\\b|\\b[Ww]in(?:dows)?[ -]?(?:7|8|10|11)\\b");

    /** A line that names another system beside it tells no more which of them it was. */
    private static final Pattern OTHER_SYSTEM = Pattern.compile("(?i)linux|ubuntu|debian|wsl|macos");

    private OptionalLong vram = OptionalLong.empty();
    private final BatchSizes batches = new BatchSizes();
    private final ServerOptionSearch options = new ServerOptionSearch();
    private final Set<Trait> found = EnumSet.noneOf(Trait.class);

    /** Looks at a line near a message, or near the log's start. */
    void see(String line) {
        String looked = line.length() > LONGEST ? line.substring(0, LONGEST) : line;
        options.see(looked);
        batches.see(looked);
        SEARCH.search(looked, (word, start) -> {
            if (ends(line, start, word)) {
                found.add(OF_WORD.get(word));
            }
        });
        if (looked.startsWith("tensorflow/core/", 2) && "IWEF".indexOf(looked.charAt(0)) >= 0) {
            found.add(Trait.TENSORFLOW_1); // Since TensorFlow 1.3 its lines begin with a date.
        }
        if (PAUSES.stream().anyMatch(looked::contains) || answersWindows(looked)) {
            found.add(Trait.WINDOWS);
        }
        if (vram.isEmpty() && looked.contains("VRAM: ")) {
            Matcher said = VRAM.matcher(looked);
            vram = said.find() ? OptionalLong.of(Long.parseLong(said.group(1)) << 20) : vram;
        }
        if (isBeforeAsync(looked)) {
            found.add(Trait.WITHOUT_ASYNC);
        }
    }

    private static boolean answersWindows(String line) {
        boolean named = line.contains("indows") || line.contains("win") || line.contains("Win");
        return named
                && ON_WINDOWS.matcher(line).find()
                && !OTHER_SYSTEM.matcher(line).find();
    }

    private static boolean isBeforeAsync(String line) {
        return line.contains(" tensorflow/") && BEFORE_ASYNC.matcher(line).find();
    }

    /** A model that was tuned before, by whose name nothing is trained now. */
    private static final List<String> TUNED = List.of("finetuned", "fine_tuned");

    /** A program's folder may hold the environment that another runs in. */
    private static final List<String> ENVIRONMENTS = List.of("/.venv/", "/venv/", "\\.venv\\", "\\venv\\");

    /**
     * Whether the name of a kind of file ends where it should: {@code .executor} is no program of Windows; and whether a
     * program's name stands for more than the place of an environment.
     */
    private static boolean ends(String line, int start, int word) {
        int end = start + LENGTH_OF_WORD.get(word);
        int name = "/\\".indexOf(line.charAt(end - 1)) < 0 ? end : end - 1;
        if (OF_WORD.get(word) == Trait.COMFYUI && ENVIRONMENTS.stream().anyMatch(v -> line.startsWith(v, name))) {
            return false;
        }
        if (TUNED.stream().anyMatch(tuned -> line.startsWith(tuned, start))) {
            return false;
        }
        return line.charAt(start) != '.' || end >= line.length() || !Character.isLetter(line.charAt(end));
    }

    /** Whether a line so far from any message is looked at. */
    boolean looksAt(long line) {
        return line <= FIRST_LINES;
    }

    Surroundings surroundings() {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        traits.addAll(found);
        if (found.contains(Trait.FORGE)) {
            traits.add(Trait.IMAGE_UI);
        }
        if (traits.stream().anyMatch(SERVERS::contains)) {
            traits.add(Trait.SERVES);
        }
        if (found.contains(Trait.TENSORFLOW_1)) {
            traits.add(Trait.WITHOUT_ASYNC);
        }
        if (traits.stream().anyMatch(OF_PICTURES::contains)) {
            traits.add(Trait.PICTURES);
        }
        if (batches.areOfOne()) {
            traits.add(Trait.BATCH_OF_ONE);
        } else if (batches.areOfSeveral()) {
            traits.remove(Trait.BATCH_OF_ONE);
        }
        return new Surroundings(traits, options.options(), vram);
    }
}
