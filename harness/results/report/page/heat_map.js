// SPDX-License-Identifier: Apache-2.0
// The picture of the page: how many of the chosen failing cases are wrong at each place.
const maps = data.maps.map((map) => {
  const [rows, columns] = map.shape;
  const wrong = new Uint8Array(rows * columns);
  map.rows.forEach((digits, row) => {
    for (let i = 0; i < digits.length; ++i) {
      const digit = parseInt(digits[i], 16);
      for (let bit = 0; bit < 4; ++bit) {
        if (digit & (8 >> bit)) wrong[row * columns + i * 4 + bit] = 1;
      }
    }
  });
  return { axes: map.axes, rows, columns, wrong, kind: `${map.axes.join(" x ")} ${rows} x ${columns}` };
});

// "every odd", "groups of 16: 1, 3", "0-15, 127": names a set of indices as a person would.
const describe = (set, count, axis) => {
  const list = Array.from(set).sort((a, b) => a - b);
  if (list.length === count) return `every ${axis}`;
  if (list.length === 1) return `${axis} ${list[0]}`;
  for (const [parity, name] of [[0, "even"], [1, "odd"]]) {
    if (list.length === Math.ceil((count - parity) / 2) && list.every((i) => i % 2 === parity)) return `every ${name} ${axis}`;
  }
  for (const modulus of [4, 8, 16, 32]) {
    if (count % modulus || list.length !== count / modulus) continue;
    if (list.every((i) => i % modulus === list[0])) return `every ${modulus}th ${axis} from ${list[0]}`;
  }
  const ranges = [];
  for (const i of list) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === i - 1) last[1] = i; else ranges.push([i, i]);
  }
  const text = ranges.slice(0, 8).map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)).join(", ");
  return `${axis}s ${text}${ranges.length > 8 ? `, … (${list.length} of ${count})` : ""}`;
};

// How many of `failures`, which all have the same kind of picture, are wrong at each place.
const sum_of = (failures) => {
  const { axes, rows, columns } = maps[failures[0].map];
  const of_kind = failures.filter((failure) => maps[failure.map].kind === maps[failures[0].map].kind);
  const count = new Uint32Array(rows * columns);
  const times = new Map();
  for (const failure of of_kind) times.set(failure.map, (times.get(failure.map) || 0) + 1);
  for (const [map, n] of times) maps[map].wrong.forEach((wrong, i) => { count[i] += wrong * n; });
  const highest = count.reduce((a, b) => Math.max(a, b), 1);
  // Coverage counts pairs at the places of a scale group.
  const counted = data.coverage.find((record) => record.operation === failures[0].operation && record.places.length > 0);
  const group = columns === 128 && counted ? counted.places.length : columns >= 128 ? 16 : 8;
  return { axes, rows, columns, count, highest, cases: of_kind.length, group, step: group };
};

// Draws a sum on a canvas, with a line at every scale group and every 16th row. Returns the context
// and the size of a cell.
const draw_sum = (canvas, { rows, columns, count, highest, group }) => {
  const [c, width, height] = context(canvas);
  const heat = ramp("--heat-low", "--heat-middle", "--heat-high");
  const w = width / columns, h = height / rows;
  c.fillStyle = colour("--cell");
  c.fillRect(0, 0, width, height);
  count.forEach((n, i) => {
    if (!n) return;
    c.fillStyle = heat[highest === 1 ? 63 : Math.round(Math.log(n) / Math.log(highest) * 63)];
    c.fillRect(i % columns * w, Math.floor(i / columns) * h, w + .3, h + .3);
  });
  c.fillStyle = colour("--cell-line");
  for (let column = group; column < columns; column += group) c.fillRect(column * w - .5, 0, 1, height);
  for (let row = 16; row < rows; row += 16) c.fillRect(0, row * h - .5, width, 1);
  return [c, w, h];
};

const make_picture = (show_all) => {
  const canvas = el("canvas", { class: "map", tabindex: "0", role: "application", "aria-roledescription": "heat map" });
  const top = el("canvas", { class: "top", "aria-hidden": "true" });
  const side = el("canvas", { class: "side", "aria-hidden": "true" });
  const frame = el("div", { class: "frame" }, top, canvas, side);
  const title = el("h3");
  const all = el("button", { type: "button", hidden: true, onclick: show_all }, "Show all");
  const kinds = el("select", { "aria-label": "Which picture", hidden: true, onchange: () => { kind = kinds.value; sum(); } });
  const readout = el("p", { class: "readout" });
  const legend = el("div", { class: "legend" });
  const node = el("div", {}, el("header", {}, title, kinds, all), frame, legend, readout);

  let chosen = [], kind = "", pinned = null, grid = null, cursor = null;

  const sum = () => {
    const found = new Map();
    for (const failure of chosen) {
      if (failure.map < 0) continue;
      const name = maps[failure.map].kind;
      found.set(name, (found.get(name) || 0) + 1);
    }
    const names = Array.from(found.keys()).sort((a, b) => found.get(b) - found.get(a));
    if (!found.has(kind)) kind = names[0] || "";
    kinds.replaceChildren(...names.map((name) => el("option", { value: name, selected: name === kind }, name)));
    kinds.hidden = names.length < 2;
    frame.hidden = legend.hidden = !kind;
    grid = kind ? sum_of(chosen.filter((failure) => failure.map >= 0 && maps[failure.map].kind === kind)) : null;
    frame.querySelectorAll(".axis").forEach((axis) => axis.remove());
    if (grid) {
      const { axes, rows, columns, group } = grid;
      frame.style.setProperty("--ratio", `${columns} / ${Math.max(rows, columns / 2)}`);
      frame.append(ticks("x", columns, group, axes[1]), ticks("y", rows, rows > 16 ? 16 : 1, axes[0]));
    }
    caption();
    draw();
  };

  const overall = () => {
    if (!grid) return chosen.length ? "None of these failures has a picture of a page: see the list." : "";
    const rows = new Set(), columns = new Set();
    let places = 0;
    grid.count.forEach((n, i) => {
      if (!n) return;
      places += 1;
      rows.add(Math.floor(i / grid.columns));
      columns.add(i % grid.columns);
    });
    return `${number(places)} of ${number(grid.rows * grid.columns)} places are wrong: ` +
      `${describe(rows, grid.rows, grid.axes[0])}; ${describe(columns, grid.columns, grid.axes[1])}.`;
  };

  const caption = () => {
    title.textContent = pinned ? `Wrong places: ${pinned.case.split("/").pop()}` : `Wrong places, ${plural(grid ? grid.cases : chosen.length, "failing case")}`;
    all.hidden = !pinned;
    readout.textContent = overall();
    canvas.setAttribute("aria-label", `Page, ${grid ? `${grid.axes[0]}s down, ${grid.axes[1]}s across` : "no picture"}. ${overall()} Arrow keys move, with shift by a group.`);
    legend.replaceChildren(...(!grid ? [] : [
      el("span", { class: "box", style: "background:var(--cell)" }), el("span", {}, "right"),
      grid.highest > 1
        ? [el("span", { class: "ramp", style: "background:linear-gradient(90deg,var(--heat-low),var(--heat-middle),var(--heat-high))" }), el("span", {}, `wrong in 1 to ${number(grid.highest)} cases`)]
        : [el("span", { class: "box", style: "background:var(--heat-high)" }), el("span", {}, "wrong")],
      el("span", {}, `${grid.axes[1]}s across, ${grid.axes[0]}s down`)].flat()));
  };

  const draw = () => {
    if (!grid || !frame.isConnected) return;
    const { rows, columns, count } = grid;
    const [c, w, h] = draw_sum(canvas, grid);
    const [width, height] = [w * columns, h * rows];
    const by_row = new Float64Array(rows), by_column = new Float64Array(columns);
    count.forEach((n, i) => {
      by_row[Math.floor(i / columns)] += n;
      by_column[i % columns] += n;
    });
    if (cursor) {
      c.strokeStyle = colour("--text");
      c.lineWidth = 1.5;
      c.strokeRect(cursor[1] * w - 1, cursor[0] * h - 1, w + 2, h + 2);
      c.globalAlpha = .25;
      c.fillStyle = colour("--text");
      c.fillRect(cursor[1] * w, 0, w, height);
      c.fillRect(0, cursor[0] * h, width, h);
      c.globalAlpha = 1;
    }
    // How much of each column and each row is wrong, as bars along the edges.
    const bars = (strip, values, across) => {
      const [s, sw, sh] = context(strip);
      const most = Math.max(...values) || 1;
      s.fillStyle = colour("--muted");
      values.forEach((value, i) => {
        const long = value / most * ((across ? sh : sw) - 2), wide = (across ? sw : sh) / values.length;
        if (!value) return;
        if (across) s.fillRect(i * wide, sh - Math.max(1, long), Math.max(.8, wide - .6), Math.max(1, long));
        else s.fillRect(0, i * wide, Math.max(1, long), Math.max(.8, wide - .6));
      });
    };
    bars(top, by_column, true);
    bars(side, by_row, false);
  };
  drawers.add(draw);

  explore(canvas, () => grid, (row, column) => {
    cursor = [row, column];
    const n = grid.count[row * grid.columns + column];
    const group = grid.columns % 16 || grid.axes[1] !== "element" ? "" : `, group ${Math.floor(column / grid.group)}`;
    readout.textContent = `${grid.axes[0]} ${row}, ${grid.axes[1]} ${column}${group}: ` +
      (n ? (pinned ? "wrong" : `wrong in ${n} of ${plural(grid.cases, "case")}`) : "right in every case shown");
    if (document.activeElement === canvas) say(readout.textContent);
    draw();
  }, () => { cursor = null; readout.textContent = overall(); draw(); });

  return {
    node,
    // Shows all of `failures`, or only `one` of them.
    show(failures, one = null) { pinned = one; chosen = one ? [one] : failures; cursor = null; sum(); },
  };
};
