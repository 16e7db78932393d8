/**
 * Configuration files as plain values with their places in the text: YAML as PyYAML's safe loader reads it, JSON, and edits that
 * leave every comment and the order alone. Knows no framework and what its keys mean.
 */
package dev.lacuna.core.config.document;
