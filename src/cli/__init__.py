"""What a person sees and types; imports net and core, and is imported by nobody."""
