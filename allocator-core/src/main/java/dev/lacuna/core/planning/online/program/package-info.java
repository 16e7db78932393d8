/** Programs of operator calls, and the formats and profiles they are made of. */
package dev.lacuna.core.planning.online.program;
