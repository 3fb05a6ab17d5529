"""What programs can ask: each question with its settings and its answer as JSON."""
