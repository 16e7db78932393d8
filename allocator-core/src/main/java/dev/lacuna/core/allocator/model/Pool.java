package dev.lacuna.core.allocator.model;

/**
 * A pool of a model.
 *
 * @param number its place among the model's pools, from 0
 * @param label what the policy calls it
 */
public record Pool(int number, String label) {}
