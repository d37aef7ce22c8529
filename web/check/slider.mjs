// Opens the page of a plan in a real browser, moves its slider, and holds what the page computes from the costs of the terms against
// what the program says: now, with no session resumed, with all, and between.
//   node web/check/slider.mjs CHROMIUM PAGE.html

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";

const [program, page] = process.argv.slice(2);
if (!page) throw new Error("usage: node web/check/slider.mjs CHROMIUM PAGE.html");
const browser = await Browser.open(program, pathToFileURL(resolve(page)).href);
try {
  const { share, now, full, resumed } = await browser.ask(() => {
    const view = JSON.parse(document.getElementById("view").textContent);
    return view.sections.flatMap((section) => section.blocks).find((block) => block.is === "slider");
  });
  assert.equal(await browser.ask(() => document.querySelector("form.slider").hidden), false, "the slider is hidden");
  near(await shown(), now, "at first");
  near(await moved(0, 0), full, "with no session resumed");
  near(await moved(100, 0), resumed, "with all sessions resumed");
  near(await moved(share * 50, 0), mean(full, now), "with half as many resumed");
  near(await moved(50 + share * 50, 0), mean(now, resumed), "with half as many full handshakes");
  near(await moved(0, 1), times(full, 10), "of ten times the traffic");
  near(await reset(), now, "as now");
  assert.deepEqual(browser.thrown, [], "the page threw");
  console.log("the slider says what the program says");
} finally {
  await browser.close();
}

/** The program's figures are in the page with all their digits; the positions of the slider are not. */
function near(found, expected, when) {
  const error = Math.abs(found.cores / expected.value - 1);
  assert.ok(error < 1e-6, `${when}: ${found.cores} cores, and the program says ${expected.value}`);
  const said = expected.value.toPrecision(3);
  assert.ok(found.said.startsWith(`${said} cores`), `${when}: '${found.said}' does not begin with ${said} cores`);
  const ends = [expected.low, expected.high].map((end) => end.toPrecision(3)).join(", ");
  assert.ok(found.said.includes(`[${ends}]`), `${when}: '${found.said}' has not the interval ${ends}`);
}

function times({ value, low, high }, factor) {
  return { value: value * factor, low: low * factor, high: high * factor };
}

function mean(one, other) {
  const of = (end) => (one[end] + other[end]) / 2;
  return { value: of("value"), low: of("low"), high: of("high") };
}

async function shown() {
  return browser.ask(() => {
    const form = document.querySelector("form.slider");
    return { cores: Number(form.dataset.cores), said: form.querySelector("output[data-of=cores]").textContent };
  });
}

/** After the resumed share, in percent, and the decimal logarithm of the factor were moved to these. */
async function moved(share, times) {
  const move = (share, times) => {
    const form = document.querySelector("form.slider");
    Object.entries({ share, times }).forEach(([name, value]) => (form.elements[name].value = value));
    form.dispatchEvent(new Event("input"));
  };
  await browser.ask(move, share, times);
  return shown();
}

async function reset() {
  await browser.ask(() => document.querySelector("form.slider button[type=reset]").click());
  await browser.settle();
  return shown();
}
