"""What is compiled: forms from sets (`forms`, `entries`, `tables`), and the worth of pairs of forms (`pairs`)."""
