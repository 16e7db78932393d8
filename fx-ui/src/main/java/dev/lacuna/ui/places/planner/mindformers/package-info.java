/** What a MindFormers configuration really does, layer by layer and operator by operator, and how a person changes it. */
package dev.lacuna.ui.places.planner.mindformers;
