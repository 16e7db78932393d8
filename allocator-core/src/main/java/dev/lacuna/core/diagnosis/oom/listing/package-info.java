/** Tables of memory in logs, one class for each who prints them; they are listings, and no failures. */
package dev.lacuna.core.diagnosis.oom.listing;
