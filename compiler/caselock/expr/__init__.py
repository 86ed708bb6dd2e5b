"""Expressions of the workspace: CEL text -> typed syntax tree -> Python function."""
