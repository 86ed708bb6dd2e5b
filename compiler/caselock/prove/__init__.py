"""Decision tables -> formulas of an SMT solver: conflicts, gaps, dead rules, boundary points, each with a witness."""
