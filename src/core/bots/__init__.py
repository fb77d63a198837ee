"""Players that see one seat's redacted rules and answer a request; know nothing that the seat does not."""
