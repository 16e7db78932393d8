/** What the agent's guard refused, how long that holds, and the only way to set it all the same. */
package dev.lacuna.ui.guard;
