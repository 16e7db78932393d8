/** The operator's files, as far as the planner needs them; implemented by the application. */
package dev.lacuna.ui.places.planner.files;
