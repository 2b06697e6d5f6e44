"""A page in the browser to make a card on: it asks, the library computes."""
