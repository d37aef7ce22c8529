"""Charts of figures with their intervals, by Altair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .extras import extra
from .table import Table

if TYPE_CHECKING:
    import altair


def plot(table: Table, *, label: str = "id", color: str = "library", log: bool = False) -> altair.FacetChart:
    """A point for each figure of `Run.summaries()` or `Comparison.changes()`, on a line from `low` to `high`.

    `label` and `color` name columns. Each metric and unit has a chart of its own. Rows without a figure are counted
    in the title: a hole is no zero.
    """
    table.require(label, color, "metric", "value", "low", "high", "unit")
    alt = extra("altair", "plot")
    shown = [row for row in table if row["value"] is not None]
    rows = [{**row, "what": f"{row['metric']}, {row['unit']}"} for row in shown]
    names = {label, color, "what", "value", "low", "high", "unit", "basis", "verdict"}
    values = [{name: row[name] for name in names} for row in rows]
    scale = alt.Scale(type="log") if log else alt.Scale(zero=False)
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y(label, type="nominal", sort=None, title=None, axis=alt.Axis(labelLimit=600)),
        color=alt.Color(color, type="nominal"),
        tooltip=[alt.Tooltip(name, type="nominal") for name in sorted(names - {"what"})],
    )
    interval = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low", type="quantitative", scale=scale, title=None), x2="high"
    )
    point = base.mark_point(filled=True, size=40).encode(x=alt.X("value", type="quantitative", scale=scale))
    holes = len(table) - len(shown)
    title = f"95 % intervals; {holes} of {len(table)} rows without a figure" if holes else "95 % intervals"
    chart: altair.FacetChart = (
        alt.layer(interval, point)
        .facet(row=alt.Row("what", type="nominal", title=None))
        .resolve_scale(x="independent", y="independent")
        .properties(title=title)
    )
    return chart
