"""Before which steps a training of compaction_jobs.py is switched, has its cap and is asked, and how many there are."""

SWITCHED, CAPPED, TOLD, STEPS = 50, 54, 70, 72
