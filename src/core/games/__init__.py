"""One module a game, each reading like its rulebook; knows no cryptography and no network."""
