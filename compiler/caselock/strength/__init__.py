"""How well a case's graders tell right from wrong: agents that err in one way each, and legal variations."""
