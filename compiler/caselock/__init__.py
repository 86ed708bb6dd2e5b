"""caselock: business rules and gold seeds in, locked evaluation cases out."""

__version__ = "0.1.0"
