"""What several commands share: arguments, numbers and cards as people type them, output in every format."""
