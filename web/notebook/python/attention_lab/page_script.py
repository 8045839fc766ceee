"""What draws figures in pages that were exported."""

from . import static

MARK = "attention-lab-page"


def page_script():
    """The script as HTML that a page may hold anywhere; it does nothing in a notebook that runs."""
    script = static.read("exported-page.js").replace("</", "<\\/")
    # JupyterLab would leave room for an output without looks.
    style = f".jp-OutputArea-child:has(> .jp-OutputArea-output > .{MARK}) {{ display: none }}"
    return f'<div class="{MARK}" hidden><style>{style}</style><script>{script}</script></div>'
