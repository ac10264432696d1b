"""How long tests wait for what must come: long, for a busy machine is not wrong."""

PATIENCE = 120.0  # seconds; reached only by a test that fails
