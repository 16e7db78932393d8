/** Where this program keeps its files: settings in the user's configuration folder. */
package dev.lacuna.app.settings;
