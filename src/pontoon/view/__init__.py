"""What people read: all sentences, and the lines of a settled round."""
