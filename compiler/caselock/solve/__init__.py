"""A task -> a plan that passes every grader, using only what an agent could have seen."""
