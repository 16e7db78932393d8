/** What to do about a cause, ranked; one class for each kind of place where it is done. */
package dev.lacuna.core.diagnosis.remedy;
