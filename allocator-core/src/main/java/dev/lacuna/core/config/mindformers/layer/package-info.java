/** Layers and their operators: how they are spread over stages, and what state each operator is in. */
package dev.lacuna.core.config.mindformers.layer;
