/**
 * Every way to plan recomputation and swap behind one door: what is planned for ({@link
 * dev.lacuna.core.planning.method.PlanningProfile}), the methods that know how, what they find under which budget, the curve of
 * time over memory, and the chosen plan in the words of those who run it: PyTorch, MindFormers, Megatron, our own agent.
 * The planning itself is done in {@code recompute} and {@code swap}.
 */
package dev.lacuna.core.planning;
