/**
 * What every policy is ({@link dev.lacuna.core.allocator.model.Allocator}), what it runs on, what it answers,
 * and the bookkeeping that policies share.
 */
package dev.lacuna.core.allocator.model;
