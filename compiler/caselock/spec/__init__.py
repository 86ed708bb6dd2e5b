"""The workspace as people write it: one model per file kind, loaded and resolved."""
