// Draws the charts of a report page from the data that the page holds, computes what plans say of other shares and rates, and lets
// tables be sorted. Everything else on the page
// is plain HTML.

import { BarChart, CustomChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

import * as bars from "./chart";
import * as marks from "./marks";
import { slide } from "./slider";
import { makeTablesSortable } from "./sort";
import type { Chart, View } from "./view";

use([AriaComponent, BarChart, CustomChart, GridComponent, LegendComponent, SVGRenderer, TooltipComponent]);

function blockOf(view: View, place: HTMLElement) {
  const section = view.sections.find((section) => section.id === place.dataset.section);
  return section?.blocks[Number(place.dataset.block)];
}

function chartOf(view: View, place: HTMLElement): Chart | undefined {
  const block = blockOf(view, place);
  return block?.is === "chart" || block?.is === "marks" ? block : undefined;
}

function draw(place: HTMLElement, chart: Chart): void {
  const { heightOf, optionOf } = chart.is === "marks" ? marks : bars;
  place.hidden = false;
  const resize = () => {
    place.style.height = `${heightOf(chart, place.clientWidth)}px`;
  };
  resize();
  const instance = init(place, null, { renderer: "svg" });
  const redraw = () => instance.setOption(optionOf(chart, place), { notMerge: true });
  redraw();
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === width || place.clientWidth === 0) return;
    width = place.clientWidth;
    resize();
    instance.resize();
    redraw();
  }).observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  // Paper is white.
  matchMedia("print").addEventListener("change", redraw);
  // And narrower than most screens.
  addEventListener("beforeprint", () => instance.resize({ width: Math.min(place.clientWidth, 680) }));
  addEventListener("afterprint", () => instance.resize({ width: "auto" }));
}

makeTablesSortable(document);

const data = document.getElementById("view")?.textContent;
if (data) {
  const view = JSON.parse(data) as View;
  for (const place of document.querySelectorAll<HTMLElement>(".chart")) {
    const chart = chartOf(view, place);
    if (chart) draw(place, chart);
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("form.slider")) {
    const slider = blockOf(view, form);
    if (slider?.is === "slider") slide(form, slider);
  }
}
