/** A policy that hands out the places of a packing which knew all lifetimes before. */
package dev.lacuna.core.allocator.planned;
