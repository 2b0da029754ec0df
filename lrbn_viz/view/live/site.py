"""Write a live page as a static site: a page, and the engine, models and data as files of their own.

Each file has a hash of its content in its name, so that browsers may keep it for ever. The page fetches them
by addresses relative to its own: the site works from any folder and behind any prefix, and asks no other
host for anything. Only what the first picture needs is fetched before it.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import os
from collections.abc import Mapping
from pathlib import Path
from string import Template

from lrbn_viz.io.storage import write_atomic
from lrbn_viz.view.live.page import BODY, N_IMAGES, VIEWS, live_blocks, start_script
from lrbn_viz.view.player.export import page_html

PAGE = "index.html"
SCRIPTS = ("code", "engine", "train", "trainer", "comparer", *VIEWS)
"""Blocks that are JavaScript, which a browser reads itself; others are compressed."""

_MARK = '<meta name="generator" content="lrbn-viz export --site">\n'
_NO_ICON = '<link rel="icon" href="data:,">\n'  # else browsers ask the server's root for one
_FILES_BEGIN, _FILES_END = "const files = ", ", later = true;"
_FETCHED = Template("""$begin$files$end
const more = Object.keys(files).filter((name) => /^models[0-9]/.test(name));
const address = (name) => new URL(files[name], document.baseURI).href;
const script = async (name) => address(name);
const block = async (name) => {
  if (!files[name]) return null;
  const {ok, status, body} = await fetch(address(name));
  if (!ok) throw new Error(`$${files[name]}: status $${status}`);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
const say = (words) => {
  const node = document.createElement("p");
  node.setAttribute("role", "alert");
  node.style.margin = "1em";
  node.textContent = words;
  document.getElementById("live").append(node);
};
if (location.protocol === "file:")
  say("A browser does not let a page that is opened from a disk fetch its files. Put this folder on a " +
    "web server, or open a page of one file, which lrbn-viz export --live writes.");
else try $start catch (error) {
  say(`The page cannot begin: $${error.message}. Check the connection, and load the page again.`);
  throw error;
}""")


def export_site(
    folder: str | os.PathLike[str],
    *models: str,
    n_images: int = N_IMAGES,
    small: bool = False,
    train: bool | None = None,
) -> int:
    """Write a live page of shipped models as a static site; return its bytes.

    The page, ``index.html``, is written last, when all of its files are in the folder, and files of an older
    site there are then removed. Other files of the folder stay.

    Parameters
    ----------
    folder : path
        It is made, unless it is there: empty, or with a site of this function.
    *models, n_images, small, train
        As :func:`lrbn_viz.export_live`.

    Raises
    ------
    ValueError
        As :func:`lrbn_viz.export_live`; or the folder has files, and no site.
    OSError
        The folder cannot be written; an old site is as it was.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.export_site("site", "lrbn-2-alarm", n_images=2) > 10_000  # bytes
    True
    """
    folder = Path(folder)
    before = _files_before(folder)
    title, blocks, _ = live_blocks(models, n_images=n_images, small=small, train=train, apart=True)
    contents = {name: _named(name, block) for name, block in blocks.items() if block}
    names = {name: file for name, (file, _) in contents.items()}
    files = dict(contents.values())
    start = _FETCHED.substitute(
        begin=_FILES_BEGIN, files=json.dumps(names), end=_FILES_END, start=start_script(blocks, bool(train))
    )
    head = f'{_MARK}{_NO_ICON}<link rel="modulepreload" href="{names["code"]}">\n'
    page = page_html(html.escape(title), BODY, start, head).encode()
    size = _write(folder, files, page)
    for old in before - set(files):
        (folder / old).unlink(missing_ok=True)
    return size


def _named(name: str, block: bytes) -> tuple[str, bytes]:
    """Return the file of a block: its name, with a hash of the content, and the content."""
    content = block if name in SCRIPTS else gzip.compress(block, 9, mtime=0)
    suffix = "js" if name in SCRIPTS else "bin"  # servers may unpack a .gz on their own
    return f"{name}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}", content


def _files_before(folder: Path) -> set[str]:
    """Return the names of the files of the site in a folder; none if the folder is empty or not there.

    Raises
    ------
    ValueError
        It is no folder, or has other files and no site.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"expected a folder for the site, got a file: {folder}. Choose another name.")
    if not folder.exists() or not any(folder.iterdir()):
        return set()
    page = folder / PAGE
    text = page.read_text(encoding="utf-8", errors="replace") if page.is_file() else ""
    if _MARK not in text:
        raise ValueError(
            f"expected a new or an empty folder, or one with a site of lrbn-viz export --site; {folder} has "
            "other files. Choose another folder."
        )
    listed = text.partition(_FILES_BEGIN)[2].partition(_FILES_END)[0]
    try:
        return {Path(name).name for name in json.loads(listed).values()}
    except (ValueError, AttributeError, TypeError):
        return set()  # changed by hand: its files stay


def _write(folder: Path, files: Mapping[str, bytes], page: bytes) -> int:
    """Write files that are not there yet, and then the page; return the bytes of all.

    After an error none of them is left.
    """
    made, new = not folder.exists(), []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = folder / name
            if path.is_file() and path.read_bytes() == content:
                continue
            new.append(path)
            write_atomic(path, content)
        write_atomic(folder / PAGE, page)
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        if made and folder.is_dir():
            folder.rmdir()
        raise
    return len(page) + sum(map(len, files.values()))
