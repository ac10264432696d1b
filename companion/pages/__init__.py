"""The pages of documentation that are written from the code, so that they stay true."""
