"""Fairness without a dealer: groups, proofs, shuffles, shares and coins; knows no game and no network."""
