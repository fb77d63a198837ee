"""One module a game that turns a seat's view into text; knows no terminal and no network."""
