"""Lets a page that ``marimo export html`` wrote draw its figures without a network.

marimo's pages load marimo itself from a server and are blank without it::

    marimo export html notebook.py -o notebook.html
    python -m attention_lab.offline notebook.html

puts into the page what shows the cells' texts and figures until marimo takes over, should it come. Pages of
``jupyter nbconvert --to html`` have it already.
"""

import sys
from pathlib import Path

from .page_script import MARK, page_script


def make_offline(path):
    """Puts the script into an exported page, once.

    :raises ValueError: if it is no page that marimo exported
    """
    path = Path(path)
    html = path.read_text(encoding="utf-8")
    if "__MARIMO_MOUNT_CONFIG__" not in html:
        raise ValueError(f"{path} was something else; it had to be a page of 'marimo export html'")
    if MARK not in html:
        before, end, after = html.rpartition("</body>")
        path.write_text(f"{before}{page_script()}{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m attention_lab.offline PAGE.html ...")
    try:
        for page in sys.argv[1:]:
            make_offline(page)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
