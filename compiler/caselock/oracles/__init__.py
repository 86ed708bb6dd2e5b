"""A run -> verdicts: outcome, behavior, response and safety."""
