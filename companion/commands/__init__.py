"""The subcommands of `companion`, one module each, with what they do kept apart and testable."""
