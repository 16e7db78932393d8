/**
 * The Planner place: will it fit, and what should be set? Three tabs, each a package below: what a MindFormers file does, what a run will
 * need, and which plan of recomputation and swap to choose. No formulas and no file formats here: those are the core's.
 */
package dev.lacuna.ui.places.planner;
