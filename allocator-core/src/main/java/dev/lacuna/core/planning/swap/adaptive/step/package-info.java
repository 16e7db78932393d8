/** What a step costs under a policy: the one simulator that all methods are judged by. */
package dev.lacuna.core.planning.swap.adaptive.step;
