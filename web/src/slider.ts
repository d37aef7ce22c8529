// What a plan says of another resumed share and another rate: the sum over terms of how many times each is done and what it costs,
// the same as the program adds up.

import type { Interval, Slider } from "./view";

type Of = "now" | "full" | "resumed";

/** Which two pieces of work a share is a mixture of, and how much of the second is in it. */
function mixtureOf({ share: now }: Slider, share: number): [Of, Of, number] {
  if (share === now) return ["now", "now", 0];
  return share < now ? ["full", "now", share / now] : ["now", "resumed", (share - now) / (1 - now)];
}

/** Cores at a resumed share from 0 to 1, of so many times the traffic. */
export function coresAt(slider: Slider, share: number, times: number): Interval {
  const [one, other, part] = mixtureOf(slider, share);
  const mixed = (a: number, b: number) => a * (1 - part) + b * part;
  const end = (which: "low" | "high") => times * mixed(slider[one][which], slider[other][which]);
  const ns = slider.terms.reduce((sum, term) => sum + term.ns * mixed(term[one], term[other]), 0);
  return { value: (times * ns) / 1e9, low: end("low"), high: end("high") };
}

/** Lets a reader move both, beginning with what is now. */
export function slide(form: HTMLFormElement, slider: Slider): void {
  const [share, times] = ["share", "times"].map((name) => form.elements.namedItem(name) as HTMLInputElement);
  if (!share || !times) return;
  // What a reset goes back to.
  share.defaultValue = `${slider.share * 100}`;
  const show = () => {
    // The text of a range input has fewer digits than the share.
    const wanted = share.value === share.dataset.now ? slider.share : Number(share.value) / 100;
    const factor = 10 ** Number(times.value);
    const cores = coresAt(slider, wanted, factor);
    say(form, "share", `${(wanted * 100).toFixed(1)} %`);
    say(form, "times", `${digits(factor)} times`);
    say(form, "cores", described(cores, slider.cpus));
    form.dataset.cores = `${cores.value}`;
  };
  share.value = share.defaultValue;
  share.dataset.now = share.value;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(show));
  form.hidden = false;
  show();
}

function say(form: HTMLFormElement, of: string, text: string): void {
  const place = form.querySelector(`output[data-of="${of}"]`);
  if (place) place.textContent = text;
}

function described({ value, low, high }: Interval, cpus: number): string {
  const interval = low < high ? ` [${digits(low)}, ${digits(high)}]` : "";
  const machine = cpus > 0 ? `, ${digits((value / cpus) * 100)} % of ${cpus} CPUs` : "";
  return `${digits(value)} cores${interval}${machine}${cpus > 0 && value > cpus ? ": more than there are" : ""}`;
}

function digits(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : `${value.toPrecision(3)}`;
}
