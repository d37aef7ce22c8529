// From a chart of the view to what ECharts is told: horizontal bars in groups, with whiskers for the intervals.

import type { CustomSeriesOption } from "echarts/charts";
import type { EChartsCoreOption } from "echarts/core";

import { LINE, type Theme, cut, frameOf, isNarrow, labelLines, themeOf, three, ticksOf } from "./frame";
import { type Cell, type Chart, quantity } from "./view";

const BAR = 13;
const GROUP_GAP = 10;

/** The height in pixels that shows every bar, and every label where these are broken into lines. */
export function heightOf(chart: Chart, width: number): number {
  const group = Math.max(chart.series.length * BAR + GROUP_GAP, labelLines(chart, width) * LINE + 4);
  return chart.labels.length * group + topOf(chart) + 52;
}

/** The room for the legend. */
function topOf(chart: Chart): number {
  return chart.series.length > 1 ? 36 : 8;
}

export function optionOf(chart: Chart, place: HTMLElement): EChartsCoreOption {
  const theme = themeOf(place);
  const least = ticksOf(chart)?.[0];
  const right = isNarrow(place.clientWidth) ? 40 : 48;
  return {
    ...frameOf(chart, place, theme, theme.palette),
    grid: { left: 8, right, top: topOf(chart), bottom: 6, outerBoundsMode: "same" },
    legend: {
      show: chart.series.length > 1,
      top: 4,
      left: 0,
      itemWidth: 12,
      itemHeight: 12,
      textStyle: { color: theme.text },
    },
    series: chart.series.flatMap((series, index) => [
      {
        type: "bar",
        name: series.name,
        data: series.points.map((point) => quantity(point)?.value ?? null),
        barWidth: BAR - 2,
        barGap: "18%",
        itemStyle: { borderRadius: [0, 2, 2, 0] },
        emphasis: { disabled: true },
      },
      {
        type: "custom",
        name: series.name,
        data: series.points.map((_, place) => [place]),
        renderItem: overlay(series.points, index, chart.series.length, least, theme),
        tooltip: { show: false },
        silent: true,
        z: 3,
      },
    ]),
  };
}

/** Draws what a bar cannot: the whisker of its interval, or why there is no bar. */
function overlay(
  points: Cell[],
  index: number,
  count: number,
  least: number | undefined,
  { text, faint, font }: Theme,
): NonNullable<CustomSeriesOption["renderItem"]> {
  return (params, api) => {
    const row = Number(api.value(0));
    const point = points[row];
    const layout = api.barLayout({ count, barWidth: BAR - 2, barGap: "18%" })?.[index];
    const at = (value: number) => api.coord([value, row]) as [number, number];
    if (!point || !layout) return null;
    const y = at(least ?? 0)[1] + layout.offsetCenter;
    if (point.is === "hole") {
      const room = Math.floor((params.coordSys as unknown as { width: number }).width / 5.8);
      const said = { text: `— ${cut(point.reason, Math.min(room, 60))}`, fill: faint, fontSize: 11, fontFamily: font };
      return { type: "text", x: at(least ?? 0)[0] + 4, y, style: { ...said, verticalAlign: "middle" } };
    }
    if (point.is !== "quantity") return null;
    const [left, right] = [at(Math.max(point.low, least ?? 0))[0], at(point.high)[0]];
    const figure = { text: three(point.value), fill: text, fontSize: 10.5, fontFamily: font };
    const value = { type: "text", x: right + 5, y, style: { ...figure, verticalAlign: "middle" } } as const;
    if (point.low === point.high) return value;
    const line = (x1: number, y1: number, x2: number, y2: number) =>
      ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: text, lineWidth: 1 } }) as const;
    return {
      type: "group",
      children: [line(left, y, right, y), line(left, y - 3, left, y + 3), line(right, y - 3, right, y + 3), value],
    };
  };
}
