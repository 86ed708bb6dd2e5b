"""Values -> text for people or JSON for programs; the only place that escapes."""
