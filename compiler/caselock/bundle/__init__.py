"""The bundle: compiled cases -> locked files, and locked files -> verified cases."""
