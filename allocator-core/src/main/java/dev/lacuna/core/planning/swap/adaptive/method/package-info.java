/** One method that chooses a policy, one class. */
package dev.lacuna.core.planning.swap.adaptive.method;
