"""The program's HTML report inside a notebook."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from .errors import TlstaxError


def framed(report: Callable[[], str], otherwise: str) -> str:
    """The page in a frame of its own, so that its styles and scripts stay there; without the program, `otherwise`."""
    try:
        page = report()
    except TlstaxError as error:
        return f"<p>{escape(otherwise)}</p><p>No report: {escape(str(error))}</p>"
    style = "width: 100%; height: 45em; border: 1px solid #8888"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page)}"></iframe>'
