"""What people look at: text for terminals, tables, pages. Imports everything, imported by nothing."""
