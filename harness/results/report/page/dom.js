// SPDX-License-Identifier: Apache-2.0
// Small helpers. All text goes through textContent, so nothing from a results file becomes markup.
const data = JSON.parse(document.getElementById("data").textContent);

const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(3).filter((child) => ![null, undefined, false, ""].includes(child)));
  return node;
};
const number = (n) => n.toLocaleString("en-US");
const plural = (n, one, many = one + "s") => `${number(n)} ${n === 1 ? one : many}`;
const bytes = (n) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit += 1; }
  return `${unit ? n.toFixed(n < 10 ? 2 : 1) : n} ${units[unit]}`;
};
// A box that scrolls by itself: it can be focused, so that the keyboard scrolls it, and has a name.
const scrolled = (name, child) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, child);
const words = (name) => name.replaceAll("_", " ");
const hex = (n, digits = 2) => n.toString(16).padStart(digits, "0");
const tag = (tone, text) => el("span", { class: `tag tone-${tone}` }, text);
const say = (text) => { document.getElementById("live").textContent = text; };

const tones = {
  pass: "pass", mismatch: "mismatch", error: "error", not_run: "incomplete", waived: "waived",
  CONFORMS: "pass", MISMATCH: "mismatch", ERROR: "error", INCOMPLETE: "incomplete", WAIVED: "waived", "STALE WAIVERS": "mismatch",
};

// The theme's colours, read again whenever it changes. A canvas is drawn by draw(); every picture
// registers here so that a change of theme or size draws it anew.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const drawers = new Set();
const redraw = () => drawers.forEach((draw) => draw());

// Gives a 2D context in CSS pixels of the canvas's box, sharp on any display.
const context = (canvas) => {
  const box = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(box.width * ratio));
  canvas.height = Math.max(1, Math.round(box.height * ratio));
  const c = canvas.getContext("2d");
  c.scale(ratio, ratio);
  return [c, box.width, box.height];
};

const parse_colour = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
// A ramp of 64 colours through the named custom properties, evenly spaced.
const ramp = (...names) => {
  const stops = names.map((name) => parse_colour(colour(name)));
  return Array.from({ length: 64 }, (_, i) => {
    const at = Math.min(stops.length - 1.001, i / 63 * (stops.length - 1));
    const from = stops[Math.floor(at)], to = stops[Math.floor(at) + 1];
    return `rgb(${from.map((f, channel) => Math.round(f + (to[channel] - f) * (at % 1))).join(" ")})`;
  });
};

// Arrow keys, Home and End move a cursor over a grid; the pointer does as well. `show(row, column)`
// says what lies there, `leave()` takes it back.
const explore = (canvas, grid, show, leave) => {
  let row = -1, column = -1;
  const go = (r, c) => {
    const { rows, columns } = grid();
    row = Math.min(rows - 1, Math.max(0, r));
    column = Math.min(columns - 1, Math.max(0, c));
    show(row, column);
  };
  canvas.addEventListener("mousemove", (event) => {
    const { rows, columns } = grid();
    go(Math.floor(event.offsetY / canvas.clientHeight * rows), Math.floor(event.offsetX / canvas.clientWidth * columns));
  });
  canvas.addEventListener("mouseleave", leave);
  canvas.addEventListener("blur", leave);
  canvas.addEventListener("keydown", (event) => {
    const { columns, step } = grid();
    const far = event.shiftKey ? step : 1;
    const moves = {
      ArrowLeft: [0, -far], ArrowRight: [0, far], ArrowUp: [-far, 0], ArrowDown: [far, 0],
      Home: [0, -columns], End: [0, columns],
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const [down, right] = moves[event.key];
    if (row < 0) go(0, 0); else go(row + down, column + right);
  });
};

// Tick labels every `step` and the axis's name in the middle of the last one's place.
const ticks = (axis, count, step, label, format = String) => {
  const marks = [];
  for (let i = 0; i < count; i += step) {
    marks.push(el("span", { style: `${axis === "x" ? "left" : "top"}:${(i + .5) / count * 100}%` }, format(i)));
  }
  return el("div", { class: `axis ${axis}`, "aria-hidden": "true", title: label }, marks);
};
