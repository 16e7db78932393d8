/** Which storage to evict: heuristics and the searches behind them. */
package dev.lacuna.core.planning.online.victim;
