/**
 * The demo: a real training process under Lacuna's allocator, or, where there is no PyTorch, the same pattern of requests
 * on the allocator hosted in a JVM of its own. Either way the program attaches to it like to any other process.
 */
package dev.lacuna.app.demo;
