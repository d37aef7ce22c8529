// What every chart of the page has in common: colours of the page, axes, legend and tooltip.

import { format } from "echarts/core";
import type { EChartsCoreOption } from "echarts/core";

import { type Chart, quantity } from "./view";

export const LINE = 12;
/** What a letter of a broken label takes, with room for lines that end early. */
const LETTER = 6.8;

/** What a chart takes from the style of the page. */
export interface Theme {
  text: string;
  faint: string;
  rule: string;
  raised: string;
  font: string;
  palette: string[];
}

export function themeOf(place: HTMLElement): Theme {
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour("--text"),
    faint: colour("--faint"),
    rule: colour("--rule"),
    raised: colour("--raised"),
    font: style.fontFamily,
    palette: [1, 2, 3, 4, 5, 6].map((number) => colour(`--series-${number}`)),
  };
}

/** Whether labels are broken into lines. */
export function isNarrow(width: number): boolean {
  return width < 560;
}

/** The lines of the longest label. */
export function labelLines(chart: Chart, width: number): number {
  const longest = Math.max(...chart.labels.map((label) => label.length));
  return isNarrow(width) ? Math.ceil((longest * LETTER) / labelWidth(width)) : 1;
}

function labelWidth(width: number): number {
  return Math.min(300, width * 0.34);
}

/** What a chart is told beside its series; the colour of each series stands before it in the tooltip. */
export function frameOf(chart: Chart, place: HTMLElement, theme: Theme, colours: string[]): EChartsCoreOption {
  const { text, faint, rule, raised, font } = theme;
  const narrow = isNarrow(place.clientWidth);
  const ticks = ticksOf(chart);
  const least = ticks?.[0];
  const custom = ticks ? { customValues: ticks } : {};
  return {
    color: colours,
    animation: false,
    aria: { enabled: true, label: { description: `${chart.title}, ${chart.unit}; the figures stand in the tables` } },
    textStyle: { fontFamily: font, color: text },
    tooltip: {
      trigger: "axis",
      axisPointer: { type: "shadow", shadowStyle: { color: rule, opacity: 0.35 } },
      backgroundColor: raised,
      borderColor: rule,
      confine: true,
      textStyle: { color: text, fontSize: 12 },
      formatter: (hovered: unknown) => tooltip(chart, colours, hovered),
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
  };
}

/** The marks of a logarithmic axis, from below every interval to above it; none for a linear one. */
export function ticksOf(chart: Chart): number[] | undefined {
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

function tooltip(chart: Chart, colours: string[], hovered: unknown): string {
  const row = (hovered as { dataIndex: number }[])[0]?.dataIndex ?? 0;
  const escape = format.encodeHTML;
  const lines = chart.series.flatMap((series, index) => {
    const point = series.points[row];
    if (!point || point.is === "empty" || point.is === "text") return [];
    const dot = `<span style="color:${colours[index % colours.length]}">●</span> ${escape(series.name)}: `;
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

export function three(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return `${Number(value.toPrecision(3))}`;
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
