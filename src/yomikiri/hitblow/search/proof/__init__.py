"""Proofs as independent questions: what may be asked, who answers, and what is kept of it."""
