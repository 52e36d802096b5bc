"""Everything people read: sentences, views, reports, and the lines of a settled round."""
