/** Deciding whether a request will live long or short: phases, and what survived before. */
package dev.lacuna.core.lifetime;
