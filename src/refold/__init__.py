"""Fold the messages of an AI agent into one immutable view: the same live or replayed."""
