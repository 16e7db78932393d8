/**
 * Recomputation decided while the program runs, as dynamic tensor rematerialisation does it (Kirisame et al., "Dynamic
 * Tensor Rematerialization", ICLR 2021): a simulator over recorded operator streams, and the rules that choose what to
 * evict. It knows nothing of real devices.
 */
package dev.lacuna.core.planning.online;
