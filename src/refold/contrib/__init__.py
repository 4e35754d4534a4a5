"""Where other engines run the folds; each module needs the extra of its name."""
