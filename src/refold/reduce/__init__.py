"""The reducers: one message into one draft of a session (see ``cases`` for the table)."""
