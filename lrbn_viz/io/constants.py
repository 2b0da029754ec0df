"""What Python and JavaScript must agree on: `constants.json`, which the JavaScript imports too."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

_constants: dict[str, Any] = json.loads((files("lrbn_viz.io") / "constants.json").read_text(encoding="utf-8"))

PACKED_BLOCK: bytes = _constants["packed_block"].encode()
"""First bytes of a packed block."""
KEPT_FILES: bytes = _constants["kept_files"].encode()
"""First bytes of a block that contains addresses of files instead of data."""
FRAME: bytes = _constants["frame"].encode()
"""First bytes of a frame of a training board."""
FRAME_PIECES: tuple[str, ...] = tuple(_constants["frame_pieces"])
"""Kinds of a frame's pieces, by their numbers."""
GUIDE_COOKIE: str = _constants["guide_cookie"]
"""Name of the cookie of a browser that has been shown the guided beginning, or has skipped it."""
FACTORISED: str = _constants["factorised"]
"""Prefix of the name of a model that has another's weights, factorised; the rest names the other."""
FACTORISED_TITLES: tuple[str, str] = tuple(_constants["factorised_titles"])
"""Titles of its lane, and of it in menus, where every pixel is known: its units are independent then."""
UNDIRECTED_TITLES: tuple[str, str] = tuple(_constants["undirected_titles"])
"""The same where some pixels are not known, which tie its units together: it is an RBM with these weights."""
RIVAL_STATE: str = _constants["rival_state"]
"""Name in addresses of a start from the other lane's last state."""
TYPED_CHARACTERS: int = _constants["typed_characters"]
"""Characters of a field that a page sends at most; text so long is refused, whatever follows."""
PIECE_BYTES: int = _constants["piece_bytes"]
"""Bytes of a file that a page sends at a time: as base64 half a megabyte, far below a websocket's limit."""
THUMBNAILS: int = _constants["thumbnails"]
"""Thumbnails that an image picker has at first, and more at each press: two screens of a phone, and 6 kB."""
MAX_PASSES: int = _constants["max_passes"]
"""Largest number of passes that the Generate page draws."""
CHAIN_STARTS: dict[str, str] = _constants["chain_starts"]
"""What a chain of the Generate page starts from, by name."""
WALK_WAYS: dict[str, str] = _constants["walk_ways"]
"""Ways of interpolation between two codes, by name."""
MAX_PRESENTED: int = _constants["max_presented"]
"""Largest number of cards that presenter mode shows at once."""
ROUNDING: float = _constants["rounding"]
"""Nats by which log P(x, h) may go down at a visit without being called a fall."""
TERM_STEP: float = _constants["term_step"]
"""Step in nats, of which the log-odds of all states are sent as multiples."""
TERM_FINE: float = _constants["term_fine"]
"""Step in nats, of which the terms of decisions are sent as multiples plus a half."""
MAX_SEED: int = _constants["max_seed"]
"""The largest seed that a page takes."""
MAX_EXACT_INTERACTIVE: int = _constants["max_exact_interactive"]
"""Largest number of latents for which interactive pages enumerate all states, repeatedly: 65,536 states."""
NORMALISER_CHAINS: int = _constants["normaliser_chains"]
"""Least number of chains by which a normaliser is annealed."""
MOST_COMPARED: int = _constants["most_compared"]
"""Largest number of systems that are compared at a time."""
IMAGES_MEASURED: int = _constants["images_measured"]
"""Number of test images, the first ones, of which log P(x) is measured while a page waits."""
IMAGES_BRACKETED: int = _constants["images_bracketed"]
"""Number of images by which the bounds of its mean are then found."""
NARROW_NATS: float = _constants["narrow_nats"]
"""Nats between the bounds of log P(x) up to which one figure stands for both."""
NETWORK: dict[str, int] = _constants["network"]
"""Largest numbers of latents and of visible units that are drawn as a network."""
N_SHOWN: int = _constants["n_shown"]
"""Images of a row that shows how a system learns."""
UNKNOWN_TONE: int = _constants["unknown_tone"]
"""Tone of a value that is not known, of 0 to 255: a grey midway between black and white."""
TABLE_PAIRS: tuple[tuple[str, str], ...] = tuple(map(tuple, _constants["table_words"]["pairs"]))
"""Words of a table's cells that are 1 and 0."""
UNKNOWN_WORDS: frozenset[str] = frozenset(_constants["table_words"]["unknown"])
"""Cells that hold no value, in lower case."""
MAX_PARAMETER: float = _constants["max_parameter"]
"""Beyond it training has diverged. Parameters are log-odds, in nats, and those of trained models stay below
70. For Gaussian images, whose scale parameters have too, it is multiplied by the largest pixel."""
CHECK_INTERVAL: int = _constants["check_interval"]
"""Steps between looks at the parameters, besides those after each pass; a look takes a tenth of a step."""
MAX_NAME_LENGTH: int = _constants["max_name_length"]
"""Largest number of characters of a unit's name: it stands in titles and tips."""
MIN_FLIP_GAIN = 1e-9
"""Smallest gain of an ICM flip in double precision, nats: above rounding, so that ties cannot cycle."""
FIGURES: tuple[str, ...] = tuple(_constants["figures"])
"""Names of figures of training, by whose places frames name them."""
WORDS_OF_ROWS: dict[str, str] = _constants["words_of_rows"]
"""What a table has in the place of what images have."""
HELD_LOG_ODDS: float = _constants["held_log_odds"]
"""Log-odds of a unit that is held: the other state has probability 0, to the last digit."""
OPEN_ON_INFERENCE: int = _constants["open_on_inference"]
"""Value in place of a lane: a model file for the Inference page."""
VISIBLE_UNITS: dict[str, dict[str, Any]] = _constants["visible_units"]
"""Facts of each kind of visible units, by name: whether x is binary, the activation above which 1 is more
probable than 0, and whether the engine of live pages knows the kind."""
