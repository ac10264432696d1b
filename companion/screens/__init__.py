"""What people see and read: every word the companion says lives here."""
