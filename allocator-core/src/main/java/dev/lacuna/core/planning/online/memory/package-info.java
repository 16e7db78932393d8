/** Tensors, storages, and the device memory that they lie in: counted, or placed. */
package dev.lacuna.core.planning.online.memory;
