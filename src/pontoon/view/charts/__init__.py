"""Strategy charts for people: text, page, picture, wallet card."""
