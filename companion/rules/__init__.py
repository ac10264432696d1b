"""The rules of five printed Ludo sheets, and a reason for every refusal."""
