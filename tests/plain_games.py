"""The four games as they were written from the page, by name."""

from plain_crypt import Crypt
from plain_loot import Loot
from plain_pyramid import Pyramid
from plain_scarabya import Scarabya

GAMES = {"crypt": Crypt, "loot": Loot, "pyramid": Pyramid, "scarabya": Scarabya}
