"""What runs inside a process that was not prepared: ``resident``, posted there as one text (docs/attach.md)."""
