"""The business as an immutable value, and tool calls as pure functions over it."""
