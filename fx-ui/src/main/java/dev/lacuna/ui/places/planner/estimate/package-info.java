/** What a run will need: by pipeline stage, every number with its formula, held against a live process. */
package dev.lacuna.ui.places.planner.estimate;
