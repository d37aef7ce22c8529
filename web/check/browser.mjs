// A page in a headless Chromium, driven over a pair of pipes by the DevTools protocol. No package is needed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-pipe",
];

/** How long the browser may take for one answer. */
const PATIENCE_MS = 60_000;

/** A browser with one page. What the page throws, and what it asks of a network, is noted. */
export class Browser {
  static async open(program, url) {
    const browser = new Browser(program);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    browser.session = (await browser.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Network"]) await browser.send(`${domain}.enable`);
    const loaded = new Promise((done) => (browser.onLoad = done));
    await browser.send("Page.navigate", { url });
    await loaded;
    return browser;
  }

  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "tlstax-browser-"));
    const flags = [...FLAGS, `--user-data-dir=${this.profile}`];
    this.child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.next = 1;
    this.thrown = [];
    this.asked = [];
    let begun = "";
    this.child.stdio[4].on("data", (bytes) => {
      const messages = (begun + bytes).split("\0");
      begun = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
  }

  take({ id, result, error, method, params }) {
    if (id !== undefined) {
      const { done, failed, timer } = this.waiting.get(id);
      clearTimeout(timer);
      this.waiting.delete(id);
      if (error) failed(new Error(error.message));
      else done(result);
    } else if (method === "Page.loadEventFired") this.onLoad?.();
    else if (method === "Runtime.exceptionThrown") this.thrown.push(params.exceptionDetails.exception?.description);
    else if (method === "Network.requestWillBeSent") this.asked.push(params.request.url);
  }

  send(method, params = {}) {
    const id = this.next++;
    const message = { id, method, params, sessionId: this.session };
    return new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new Error(`${method}: no answer`)), PATIENCE_MS);
      this.waiting.set(id, { done, failed, timer });
      this.child.stdio[3].write(`${JSON.stringify(message)}\0`);
    });
  }

  /** What a function of ours says inside of the page. */
  async ask(question, ...words) {
    const expression = `(${question})(...${JSON.stringify(words)})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until the page has laid out and drawn twice: then what observes sizes has been called. */
  async settle() {
    const expression = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))";
    await this.send("Runtime.evaluate", { expression, awaitPromise: true });
  }

  async resize(width, height) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.settle();
  }

  /** Screen or print, light or dark. */
  async show(media, scheme) {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    await this.send("Emulation.setEmulatedMedia", { media, features });
    await this.settle();
  }

  async press(key) {
    const text = key === "Enter" ? "\r" : "";
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, text, windowsVirtualKeyCode: 13 });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, windowsVirtualKeyCode: 13 });
  }

  async close() {
    const ended = new Promise((done) => this.child.once("exit", done));
    await this.send("Browser.close").catch(() => this.child.kill());
    await ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
