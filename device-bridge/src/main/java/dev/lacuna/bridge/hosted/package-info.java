/**
 * The native allocator and its swap engine inside this virtual machine, for tests and a demo without PyTorch, and the unpacking of
 * what a training process needs from this program's own jar. JNA is known here and in {@code device} only.
 */
package dev.lacuna.bridge.hosted;
