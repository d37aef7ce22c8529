"""What TLS costs on a machine: the documents of tlstax as tables, charts and comparisons.

    import tlstax

    run = tlstax.load("results/quick-20260301T101500Z.json")
    run.summaries().to_pandas()

Figures, their intervals and verdicts are those of the program `tlstax`, which is asked for them; batches and holes
are read from the document itself.
"""

from .comparison import Comparison, compare
from .errors import DocumentError, ExtraMissing, ProgramFailed, ProgramMissing, TlstaxError
from .loading import load
from .measuring import measure
from .plots import plot
from .program import program
from .runs import Run, Runs
from .table import Row, Table
from .version import __version__

__all__ = [
    "Comparison",
    "DocumentError",
    "ExtraMissing",
    "ProgramFailed",
    "ProgramMissing",
    "Row",
    "Run",
    "Runs",
    "Table",
    "TlstaxError",
    "__version__",
    "compare",
    "load",
    "measure",
    "plot",
    "program",
]
