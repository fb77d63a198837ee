"""What a person sees and types; imports net and core, and is imported by nobody."""

VERSION = "0.1.0"  # pyproject.toml's; a constant, because reading package metadata costs more than the whole of --version
