package dev.lacuna.core.estimate.model;

/** Matrix products of a layer that can run again without the rest of it. */
public enum LayerProduct {
    /** Projections to queries, keys and values. */
    QUERY_KEY_VALUE("again.query.key.value"),
    /** Queries, keys and values from their low ranks. */
    LATENT_UP("again.latent.up"),
    /** Keys alone. */
    KEY("again.key"),
    /** Scores, and values weighed by them. */
    ATTENTION_CORE("again.attention.core"),
    /** The projection behind attention. */
    ATTENTION_PROJECTION("again.attention.projection"),
    /** The first linear layers of the feed-forward part. */
    FEED_FORWARD_UP("again.feed.forward.up"),
    /** One of the two first ones. */
    FEED_FORWARD_GATE("again.feed.forward.gate"),
    /** The last linear layer of the feed-forward part. */
    FEED_FORWARD_DOWN("again.feed.forward.down");

    private final String key;

    LayerProduct(String key) {
        this.key = key;
    }

    /** The key of its term. */
    public String key() {
        return key;
    }
}
