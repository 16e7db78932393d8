/**
 * Deciding whether a request will live long or short: phases, and what happened to requests like it before. Knows sizes and
 * the order of events; knows neither pools nor devices.
 */
package dev.lacuna.core.allocator.lifetime;
