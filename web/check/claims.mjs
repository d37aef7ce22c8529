// Opens a page with a section of claims in a real browser, and checks what a reader meets there: the picture, sorting by mouse and
// by keyboard, a narrow screen, the dark scheme, and paper.
//   node web/check/claims.mjs CHROMIUM PAGE.html

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { Browser } from "./browser.mjs";

const VERDICTS = ["holds", "does not hold", "cannot tell", "compared", "not measurable here", "not measured"];

const [program, page] = process.argv.slice(2);
if (!page) throw new Error("usage: node web/check/claims.mjs CHROMIUM PAGE.html");
const browser = await Browser.open(program, pathToFileURL(resolve(page)).href);
try {
  await browser.resize(1280, 2000);
  const verdicts = await tableIsWhole();
  await pictureIsDrawn();
  await rowsAreSorted(verdicts);
  await narrowScreensHoldIt();
  await darkIsReadable();
  await paperIsWhite();
  assert.deepEqual(browser.thrown, [], "the page threw");
  assert.ok(
    browser.asked.every((url) => /^(file|data|blob|about):/.test(url)),
    `the page asked a network: ${browser.asked}`,
  );
} finally {
  await browser.close();
}

/** Every claim has a verdict in words, and the section begins with how many hold. */
async function tableIsWhole() {
  const found = await browser.ask(() => {
    const section = document.getElementById("claims");
    const rows = [...section.querySelector("table").tBodies[0].rows];
    const place = [...section.querySelectorAll("thead th")].findIndex((th) => th.textContent.startsWith("verdict"));
    return { text: section.innerText, verdicts: rows.map((row) => row.cells[place].firstChild.textContent) };
  });
  assert.match(found.text, new RegExp(`Of ${found.verdicts.length} claims? `));
  for (const verdict of found.verdicts) assert.ok(VERDICTS.includes(verdict), `no verdict: ${verdict}`);
  console.log(`${found.verdicts.length} claims in the table`);
  return found.verdicts;
}

/** Each row of the picture has a mark; verdicts differ in form, and stand there as words. */
async function pictureIsDrawn() {
  if (!(await browser.ask(() => document.querySelector("#claims .chart") !== null))) {
    console.log("no picture: no figure here");
    return;
  }
  const { rows, names, words, forms } = await browser.ask(() => {
    const isMark = (path) => {
      const { width, height } = path.getBBox();
      return width <= 14 && height <= 14 && height > 4 && path.getAttribute("fill") !== "none";
    };
    // Which points of a grid are within the form.
    const outline = (path) => {
      const { x, y, width, height } = path.getBBox();
      const steps = [0.06, 0.2, 0.35, 0.5, 0.65, 0.8, 0.94];
      const holds = (right, down) => path.isPointInFill(new DOMPoint(x + right * width, y + down * height));
      return steps.flatMap((down) => steps.map((right) => Number(holds(right, down)))).join("");
    };
    const view = JSON.parse(document.getElementById("view").textContent);
    const chart = view.sections.find((section) => section.id === "claims").blocks.find((block) => block.is === "marks");
    const svg = document.querySelector("#claims .chart svg");
    return {
      rows: chart.labels.length,
      names: chart.series.map((series) => series.name),
      words: [...svg.querySelectorAll("text")].map((text) => text.textContent),
      forms: [...svg.querySelectorAll("path")].filter(isMark).map(outline),
    };
  });
  assert.ok(rows > 0, "the picture has no row");
  for (const name of names) assert.ok(words.some((word) => word.endsWith(name)), `the picture does not say '${name}'`);
  assert.ok(new Set(forms).size >= names.length, `${names.length} kinds of marks, and ${new Set(forms).size} forms`);
  console.log(`${rows} rows in the picture: ${names.join(", ")}`);
}

/** By mouse, by keyboard, and back to how the table was. */
async function rowsAreSorted(before) {
  if (before.length < 2) {
    console.log("one row: nothing to sort");
    return;
  }
  const now = () =>
    browser.ask(() => {
      const section = document.getElementById("claims");
      const headings = [...section.querySelector("thead tr").cells];
      const place = headings.findIndex((th) => th.textContent.startsWith("verdict"));
      const rows = [...section.querySelector("table").tBodies[0].rows];
      return { order: headings[place].ariaSort, verdicts: rows.map((row) => row.cells[place].firstChild.textContent) };
    });
  const button = (act) =>
    browser.ask((act) => {
      const headings = [...document.querySelectorAll("#claims thead th")];
      headings.find((th) => th.textContent.startsWith("verdict")).querySelector("button")[act]();
    }, act);
  const upwards = [...before].sort((a, b) => a.localeCompare(b, "en"));
  await button("click");
  assert.deepEqual(await now(), { order: "ascending", verdicts: upwards });
  await button("focus");
  await browser.press("Enter");
  assert.deepEqual(await now(), { order: "descending", verdicts: upwards.toReversed() });
  await button("click");
  assert.deepEqual(await now(), { order: null, verdicts: before });
  console.log("sorted by mouse and by keyboard, and back");
}

/** Where everything in the picture lies. */
function places() {
  const marks = [...document.querySelectorAll("#claims .chart svg path, #claims .chart svg text")];
  return marks.map((mark) => mark.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width].map(Math.round).join(" "));
}

/** Nothing makes the page wider than the screen, and the picture keeps its words; when it is wide again, all is where it was. */
async function narrowScreensHoldIt() {
  const before = await browser.ask(places);
  await browser.resize(360, 800);
  const { page, screen, cut } = await browser.ask(() => {
    const svg = document.querySelector("#claims .chart svg")?.getBoundingClientRect();
    const texts = [...document.querySelectorAll("#claims .chart svg text")];
    const isCut = ({ left, right }) => left < svg.left - 1 || right > svg.right + 1;
    return {
      page: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
      cut: texts.filter((text) => isCut(text.getBoundingClientRect())).map((text) => text.textContent),
    };
  });
  assert.ok(page <= screen, `the page is ${page} wide on a screen of ${screen}`);
  assert.deepEqual(cut, [], "words of the picture are cut off");
  console.log(`a screen of ${screen} holds it`);
  await browser.resize(1280, 2000);
  assert.deepEqual(await browser.ask(places), before, "marks are not where they were before the screen was narrow");
}

/** The contrast of the least readable word of the picture with the page. */
function contrast() {
  const page = getComputedStyle(document.body).backgroundColor;
  const luminance = (colour) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (colour) => {
    const [high, low] = [luminance(colour), luminance(page)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const words = [...document.querySelectorAll("#claims .chart svg text, #claims td, #claims th")];
  const colour = (word) => (word instanceof SVGElement ? word.getAttribute("fill") || getComputedStyle(word).fill : getComputedStyle(word).color);
  return { page, light: luminance(page), least: Math.min(...words.map((word) => ratio(colour(word)))) };
}

async function darkIsReadable() {
  const bright = await browser.ask(contrast);
  await browser.show("screen", "dark");
  const dark = await browser.ask(contrast);
  assert.ok(bright.light > 0.9 && dark.light < 0.1, `${bright.page} and ${dark.page}`);
  for (const { least } of [bright, dark]) assert.ok(least >= 4.5, `a contrast of ${least.toFixed(1)}`);
  console.log(`readable: a contrast of ${bright.least.toFixed(1)}, ${dark.least.toFixed(1)} in the dark`);
}

/** What is printed from a dark screen is dark on white, without what only a screen needs. */
async function paperIsWhite() {
  await browser.show("print", "dark");
  const { light, least } = await browser.ask(contrast);
  const hidden = await browser.ask(() => getComputedStyle(document.querySelector("nav")).display === "none");
  assert.ok(light > 0.99 && least >= 4.5, `${light} of white, a contrast of ${least}`);
  assert.ok(hidden, "links are printed");
  await browser.show("screen", "light");
  const { data } = await browser.send("Page.printToPDF", { printBackground: true });
  assert.equal(Buffer.from(data, "base64").subarray(0, 5).toString(), "%PDF-");
  console.log(`on paper: a contrast of ${least.toFixed(1)}`);
}
