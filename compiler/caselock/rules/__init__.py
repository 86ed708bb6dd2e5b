"""Decision tables, goals and invariants -> functions that decide and watch."""
