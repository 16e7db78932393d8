/**
 * Allocator settings as frameworks are given them: configuration strings such as {@code PYTORCH_ALLOC_CONF}. Knows the options
 * of the models that follow them; reads no environment and applies nothing.
 */
package dev.lacuna.core.allocator.settings;
