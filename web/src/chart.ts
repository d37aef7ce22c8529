// From a chart of the view to what ECharts is told: horizontal bars in groups, with whiskers for the intervals.

import { format } from "echarts/core";
import type { CustomSeriesOption } from "echarts/charts";
import type { EChartsCoreOption } from "echarts/core";

import { type Cell, type Chart, quantity } from "./view";

const BAR = 13;
const GROUP_GAP = 10;
const LINE = 12;
/** What a letter of a broken label takes, with room for lines that end early. */
const LETTER = 6.8;

/** The height in pixels that shows every bar, and every label where these are broken into lines. */
export function heightOf(chart: Chart, width: number): number {
  const longest = Math.max(...chart.labels.map((label) => label.length));
  const lines = isNarrow(width) ? Math.ceil((longest * LETTER) / labelWidth(width)) : 1;
  const group = Math.max(chart.series.length * BAR + GROUP_GAP, lines * LINE + 4);
  return chart.labels.length * group + topOf(chart) + 52;
}

/** Whether labels are broken into lines. */
function isNarrow(width: number): boolean {
  return width < 560;
}

function labelWidth(width: number): number {
  return Math.min(300, width * 0.34);
}

/** The room for the legend. */
function topOf(chart: Chart): number {
  return chart.series.length > 1 ? 36 : 8;
}

export function optionOf(chart: Chart, place: HTMLElement): EChartsCoreOption {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [text, faint, rule] = [colour("--text"), colour("--faint"), colour("--rule")];
  const palette = [1, 2, 3, 4, 5, 6].map((number) => colour(`--series-${number}`));
  const narrow = isNarrow(place.clientWidth);
  const several = chart.series.length > 1;
  const ticks = ticksOf(chart);
  const least = ticks?.[0];
  const custom = ticks ? { customValues: ticks } : {};
  return {
    color: palette,
    animation: false,
    aria: { enabled: true, label: { description: `${chart.title}, ${chart.unit}; the figures stand in the tables` } },
    textStyle: { fontFamily: style.fontFamily, color: text },
    grid: { left: 8, right: narrow ? 40 : 48, top: topOf(chart), bottom: 6, outerBoundsMode: "same" },
    legend: { show: several, top: 4, left: 0, itemWidth: 12, itemHeight: 12, textStyle: { color: text } },
    tooltip: {
      trigger: "axis",
      axisPointer: { type: "shadow", shadowStyle: { color: rule, opacity: 0.35 } },
      backgroundColor: colour("--raised"),
      borderColor: rule,
      confine: true,
      textStyle: { color: text, fontSize: 12 },
      formatter: (hovered: unknown) => tooltip(chart, palette, hovered),
    },
    xAxis: {
      type: chart.log ? "log" : "value",
      min: least,
      // Where bars begin: otherwise at 1, and those of smaller values would grow to the left.
      startValue: least,
      max: ticks?.at(-1),
      name: chart.log ? `${chart.unit}, logarithmic` : chart.unit,
      nameLocation: "middle",
      nameGap: 26,
      nameTextStyle: { color: faint },
      axisLabel: { color: faint, formatter: short, hideOverlap: true, ...custom },
      axisTick: { show: false, ...custom },
      splitLine: { lineStyle: { color: rule } },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: chart.labels,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: rule } },
      axisLabel: {
        color: text,
        width: labelWidth(place.clientWidth),
        overflow: narrow ? "break" : "truncate",
        fontSize: narrow ? 11 : 12,
        lineHeight: LINE,
      },
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
        renderItem: overlay(series.points, index, chart.series.length, least, { text, faint, font: style.fontFamily }),
        tooltip: { show: false },
        silent: true,
        z: 3,
      },
    ]),
  };
}

/** The marks of a logarithmic axis, from below every interval to above it; none for a linear one. */
function ticksOf(chart: Chart): number[] | undefined {
  const found = chart.series.flatMap((series) => series.points.map(quantity)).filter((found) => found !== undefined);
  const low = Math.min(...found.map((found) => found.low).filter((low) => low > 0));
  const high = Math.max(...found.map((found) => found.high));
  if (!chart.log || !Number.isFinite(low) || !(high > 0)) return undefined;
  const decades = Array.from({ length: 40 }, (_, index) => index - 20).map((power) => 10 ** power);
  const wide = Math.log10(high / low) > 2.5;
  const marks = wide ? decades : decades.flatMap((decade) => [decade, 2 * decade, 5 * decade]);
  // A bar of the least value still has a length.
  const first = marks.findLastIndex((mark) => mark <= low * 0.8);
  const last = marks.findIndex((mark) => mark >= high);
  return marks.slice(first, last + 1);
}

/** Draws what a bar cannot: the whisker of its interval, or why there is no bar. */
function overlay(
  points: Cell[],
  index: number,
  count: number,
  least: number | undefined,
  { text, faint, font }: { text: string; faint: string; font: string },
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

function tooltip(chart: Chart, palette: string[], hovered: unknown): string {
  const row = (hovered as { dataIndex: number }[])[0]?.dataIndex ?? 0;
  const escape = format.encodeHTML;
  const lines = chart.series.flatMap((series, index) => {
    const point = series.points[row];
    if (!point || point.is === "empty" || point.is === "text") return [];
    const dot = `<span style="color:${palette[index % palette.length]}">●</span> ${escape(series.name)}: `;
    return [dot + (point.is === "hole" ? escape(cut(point.reason, 90)) : escape(described(point)))];
  });
  return [`<b>${escape(chart.labels[row] ?? "")}</b>`, ...lines].join("<br>");
}

function described(point: { value: number; low: number; high: number; unit: string }): string {
  const figure = `${digits(point.value)} ${point.unit}`;
  return point.low === point.high ? figure : `${figure} [${digits(point.low)}, ${digits(point.high)}]`;
}

function digits(value: number): string {
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(4);
}

function three(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return `${Number(value.toPrecision(3))}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
