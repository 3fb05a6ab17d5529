"""What is compiled: forms from sets, and the worth of pairs of forms."""
