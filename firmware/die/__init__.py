"""The die: seven pips, a big button, a shake switch."""
