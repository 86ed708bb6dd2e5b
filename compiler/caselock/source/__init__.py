"""Reading a workspace: its files, their strict YAML, and the place of everything in them."""
