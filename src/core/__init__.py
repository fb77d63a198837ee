"""Rules and mathematics: knows nothing of sockets, clocks, files or threads, and takes randomness as an argument."""
