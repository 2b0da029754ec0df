"""The Lessons page, and the card of a lesson beside the Inference page."""
