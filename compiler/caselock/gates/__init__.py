"""What a case must pass to enter the suite, one gate a module."""
