"""Seeds and operators -> cases: expansion, labels derived from the rules, double entry, contracts."""
