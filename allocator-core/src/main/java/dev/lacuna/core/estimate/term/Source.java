package dev.lacuna.core.estimate.term;

import java.util.Locale;

/** Where a formula or a constant comes from. */
public enum Source {
    /** Follows from the shapes alone. */
    SHAPES(""),
    /** Bytes of a tensor by its number format. */
    FORMAT(""),
    /** Activations kept for the backward pass. */
    KORTHIKANTI("Korthikanti et al. 2022, arXiv 2205.05198"),
    /** The survey's P and F. */
    NARAYANAN("Narayanan et al. 2021, arXiv 2104.04473"),
    /** Sharding of weights, gradients and optimizer states. */
    ZERO("Rajbhandari et al. 2020, arXiv 1910.02054"),
    /** How Megatron-LM lays out states, schedules micro-batches and computes its loss. */
    MEGATRON(""),
    /** Sharded data parallelism and recomputation by operator. */
    TORCHTITAN("Liang et al. 2024, TorchTitan, arXiv 2410.06511"),
    /** Attention that keeps no score matrix. */
    FLASH("Dao et al. 2022, arXiv 2205.14135"),
    /** 4-bit normal-float weights. */
    QLORA("Dettmers et al. 2023, arXiv 2305.14314"),
    /** Measured, not derived: see the constant's own note. */
    CALIBRATED(""),
    /** Taken from a recorded trace. */
    TRACE("");

    /** A paper, by its authors; empty for what is told in words. */
    private final String paper;

    Source(String paper) {
        this.paper = paper;
    }

    /** The work to look it up in, or what it follows from in this language. */
    public String reference(Locale locale) {
        return paper.isEmpty() ? Term.WORDS.text(locale, "source." + name().toLowerCase(Locale.ROOT)) : paper;
    }
}
