// From the picture of claims to what ECharts is told: a row for each, the claimed point or range as a hollow bar with flags at the
// borders that decide, and below it what was measured with its whisker. The verdict is told by the form of the mark and by its
// word, and only then by its colour.

import type { CustomSeriesOption } from "echarts/charts";
import type { EChartsCoreOption } from "echarts/core";

import { LINE, type Theme, frameOf, isNarrow, labelLines, themeOf, three, ticksOf } from "./frame";
import { type Chart, type Quantity, quantity } from "./view";

const ROW = 30;
/** Of a narrow screen, where words may stand below their mark. */
const NARROW_ROW = 44;
/** The size of a mark, and how far the two of a row are from its middle. */
const MARK = 10;
const OFFSET = 6;
/** What a letter beside a mark takes. */
const LETTER = 5.9;

/** How a series is drawn; paths are for a box of 10 by 10. */
interface Form {
  path: string;
  /** Its place in the palette; none for the colour of faint text. */
  colour?: number;
  /** Where in the box its figure lies, from 0 at the left to 1; none for the middle. */
  edge?: number;
}

const CLAIMED: Form = { path: "M0,2 L10,2 L10,8 L0,8 Z M1.5,3.5 L1.5,6.5 L8.5,6.5 L8.5,3.5 Z" };
const LEAST: Form = { path: "M0,0 L1.4,0 L1.4,2.4 L8,5 L1.4,7.6 L1.4,10 L0,10 Z", edge: 0 };
const MOST: Form = { path: "M10,0 L10,10 L8.6,10 L8.6,7.6 L2,5 L8.6,2.4 L8.6,0 Z", edge: 1 };
const TRIANGLE: Form = { path: "M5,0.5 L10,9.5 L0,9.5 Z", colour: 0 };

/** What was claimed by the words of crates/report/src/claims/picture.rs, verdicts by those of crates/claims. */
const FORMS: Record<string, Form> = {
  claimed: CLAIMED,
  "at least": LEAST,
  "at most": MOST,
  holds: { path: "M5,0 A5,5 0 1,1 5,10 A5,5 0 1,1 5,0 Z", colour: 2 },
  "does not hold": {
    path: "M1.6,0 L5,3.4 L8.4,0 L10,1.6 L6.6,5 L10,8.4 L8.4,10 L5,6.6 L1.6,10 L0,8.4 L3.4,5 L0,1.6 Z",
    colour: 4,
  },
  "cannot tell": { path: "M5,0 L10,5 L5,10 L0,5 Z M5,2.6 L2.6,5 L5,7.4 L7.4,5 Z", colour: 1 },
};

function formOf(name: string): Form {
  return FORMS[name] ?? TRIANGLE;
}

/** The height in pixels that shows every row. */
export function heightOf(chart: Chart, width: number): number {
  const row = Math.max(isNarrow(width) ? NARROW_ROW : ROW, labelLines(chart, width) * LINE + 4);
  return chart.labels.length * row + topOf(width) + 52;
}

/** The room for the legend, which takes two lines on a narrow screen. */
function topOf(width: number): number {
  return isNarrow(width) ? 58 : 36;
}

export function optionOf(chart: Chart, place: HTMLElement): EChartsCoreOption {
  const theme = themeOf(place);
  const colourOf = ({ colour, edge }: Form) =>
    colour === undefined ? (edge === undefined ? theme.faint : theme.text) : (theme.palette[colour] ?? theme.text);
  const forms = chart.series.map((series) => formOf(series.name));
  const colours = forms.map(colourOf);
  const ends = ticksOf(chart);
  return {
    ...frameOf(chart, place, theme, colours),
    grid: { left: 8, right: 14, top: topOf(place.clientWidth), bottom: 6, outerBoundsMode: "same" },
    legend: {
      top: 4,
      left: 0,
      itemWidth: 12,
      itemHeight: 12,
      textStyle: { color: theme.text },
      data: chart.series.map((series, index) => ({ name: series.name, icon: `path://${forms[index]?.path}` })),
    },
    series: chart.series.map((series, index) => ({
      type: "custom",
      name: series.name,
      // The row comes last: it is what the axis of categories goes by.
      data: series.points.map((point, row) => [quantity(point)?.value ?? null, row]),
      encode: { x: 0, y: 1 },
      itemStyle: { color: colours[index] },
      renderItem: markOf(chart, index, colours[index] ?? theme.text, ends, theme),
    })),
  };
}

type Render = NonNullable<CustomSeriesOption["renderItem"]>;

function markOf(chart: Chart, index: number, colour: string, ends: number[] | undefined, theme: Theme): Render {
  const series = chart.series[index];
  return (params, api) => {
    const row = params.dataIndex;
    const point = quantity(series?.points[row]);
    if (!series || !point) return null;
    const x = (value: number) => (api.coord([Math.max(value, ends?.[0] ?? value), row]) as [number, number])[0];
    const middle = (api.coord([point.value, row]) as [number, number])[1];
    const form = formOf(series.name);
    if (form === CLAIMED) return claimed(x(point.low), x(point.high), middle - OFFSET, colour);
    if (form.edge !== undefined) return mark(form, x(point.value), middle - OFFSET, colour);
    const { x: left, width } = params.coordSys as unknown as { x: number; width: number };
    const at = [x(point.low), x(point.value), x(point.high)] as const;
    return measured(point, series.name, at, middle + OFFSET, [left, left + width], colour, theme);
  };
}

/** A hollow bar from the least to the greatest that was claimed; of a point, one that can still be seen. */
function claimed(left: number, right: number, y: number, colour: string) {
  const width = Math.max(right - left, 5);
  const x = (left + right - width) / 2;
  const shape = { x, y: y - MARK / 2, width, height: MARK - 1, r: 1 };
  return { type: "rect", shape, style: { fill: "transparent", stroke: colour, lineWidth: 1.5 } } as const;
}

/** The form of a series where its figure lies. */
function mark(form: Form, x: number, y: number, colour: string) {
  const shape = { pathData: form.path, width: MARK, height: MARK };
  // Not in the shape, which stays where it is when the chart is drawn again.
  const place = { x: x - MARK * (form.edge ?? 0.5), y: y - MARK / 2 };
  return { type: "path", ...place, shape, style: { fill: colour } } as const;
}

/** The mark of the verdict on the whisker of the interval, and beside it the figure and the verdict's word. */
function measured(
  point: Quantity,
  verdict: string,
  [low, value, high]: readonly [number, number, number],
  y: number,
  [left, right]: [number, number],
  colour: string,
  { text, font }: Theme,
) {
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: text, lineWidth: 1 } }) as const;
  const whisker = [line(low, y, high, y), line(low, y - 3, low, y + 3), line(high, y - 3, high, y + 3)];
  const words = `${three(point.value)} ${verdict}`;
  const [before, behind] = [Math.min(low, value - MARK / 2) - 5, Math.max(high, value + MARK / 2) + 5];
  const style = { text: words, fill: text, fontSize: 10.5, fontFamily: font, verticalAlign: "middle" } as const;
  const ending = (x: number, y: number) => ({ type: "text", x, y, style: { ...style, align: "right" } }) as const;
  // To the left where there is no room to the right, and below where there is none either.
  const said = () => {
    const taken = words.length * LETTER;
    if (behind + taken <= right) return { type: "text", x: behind, y, style } as const;
    return before - taken >= left ? ending(before, y) : ending(right, y + MARK + 2);
  };
  const children = [...(point.low < point.high ? whisker : []), mark(formOf(verdict), value, y, colour), said()];
  return { type: "group" as const, children };
}
