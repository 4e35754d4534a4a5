"""What a client decides about a session: caps, budgets, queues and what is sent again."""
