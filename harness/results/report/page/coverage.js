// SPDX-License-Identifier: Apache-2.0
// All 16 x 256 pairs of a code and a scale byte: how many elements a run decoded of each.
const code_value = (code) => (code & 8 ? "−" : "") + ["0", "0.5", "1", "1.5", "2", "3", "4", "6"][code & 7];

const make_coverage = () => {
  const records = data.coverage;
  let record = records[0], cursor = null;
  const canvas = el("canvas", { tabindex: "0", role: "application", "aria-roledescription": "coverage picture" });
  const frame = el("div", { class: "coverage-frame" }, ticks("y", 16, 1, "code", (code) => `${hex(code, 1)}  ${code_value(code)}`),
    el("div", { class: "map" }, canvas), ticks("x", 256, 16, "scale byte", (scale) => hex(scale)));
  const readout = el("p", { class: "readout" });
  const detail = el("div");
  const name = (r) => `${r.operation} ${r.path} ${r.device}`;
  const choose = el("select", { "aria-label": "Coverage of", onchange: () => { record = records[choose.value]; cursor = null; show(); } },
    records.map((r, i) => el("option", { value: i }, name(r))));

  const overall = () => record.pairs.length
    ? `${number(record.pairs.filter((n) => n).length)} of 4,096 pairs were decoded, ${number(record.pairs.reduce((a, b) => a + b, 0))} elements.`
    : "This operation counts no pairs; its bins are below.";
  const draw = () => {
    if (!frame.isConnected || !record.pairs.length) return;
    const [c, width, height] = context(canvas);
    const shades = ramp("--cover-low", "--cover-high");
    const highest = Math.log1p(record.pairs.reduce((a, b) => Math.max(a, b), 1));
    const w = width / 256, h = height / 16;
    for (let scale = 0; scale < 256; ++scale) {
      for (let code = 0; code < 16; ++code) {
        const n = record.pairs[scale * 16 + code];
        c.fillStyle = n ? shades[Math.round(Math.log1p(n) / highest * 63)] : colour("--unhit");
        c.fillRect(scale * w, code * h, w + .3, h + .3);
      }
    }
    c.fillStyle = colour("--surface");
    for (let code = 1; code < 16; ++code) c.fillRect(0, code * h - .5, width, code === 8 ? 2 : .75);
    for (let scale = 16; scale < 256; scale += 16) c.fillRect(scale * w - .5, 0, 1, height);
    if (cursor) {
      c.strokeStyle = colour("--text");
      c.lineWidth = 2;
      c.strokeRect(cursor[1] * w - 1, cursor[0] * h - 1, w + 2, h + 2);
    }
  };
  drawers.add(draw);
  explore(canvas, () => ({ rows: 16, columns: 256, step: 16 }), (code, scale) => {
    cursor = [code, scale];
    const n = record.pairs[scale * 16 + code];
    readout.textContent = `code ${hex(code, 1)} (${code_value(code)}) with scale byte ${hex(scale)}: ${n ? plural(n, "element") : "never decoded"}`;
    if (document.activeElement === canvas) say(readout.textContent);
    draw();
  }, () => { cursor = null; readout.textContent = overall(); draw(); });

  const show = () => {
    frame.hidden = !record.pairs.length;
    readout.textContent = overall();
    canvas.setAttribute("aria-label", `Coverage of ${name(record)}: 16 codes down, 256 scale bytes across. ${overall()}`);
    const bins = Object.entries(record.bins);
    detail.replaceChildren(...[
      record.missing_bins.length
        ? el("p", {}, tag(record.judged ? "mismatch" : "incomplete", record.judged ? "not hit, and required" : "not hit"), ` ${record.missing_bins.join(", ")}`)
        : el("p", {}, tag("pass", "every required bin was hit")),
      record.places.length && record.places.every((hit) => hit === 4096)
        ? el("p", { class: "muted" }, `All 4,096 pairs at each of the ${record.places.length} places of a scale group.`) : null,
      record.places.some((hit) => hit !== 4096) ? el("ul", { class: "places", "aria-label": "Pairs at each place of a scale group" },
        record.places.map((hit, place) => el("li", { class: hit === 4096 ? "" : "missing" }, `place ${place}: ${number(hit)} / 4,096`))) : null,
      bins.length ? el("details", { class: "plain" }, el("summary", {}, plural(bins.length, "bin")),
        el("ul", { class: "places" }, bins.map(([bin, n]) => el("li", { class: n ? "" : "missing" }, `${bin}: ${number(n)}`)))) : null,
    ].filter(Boolean));
    draw();
  };
  const node = el("section", { id: "coverage", "aria-labelledby": "coverage-title" },
    el("h2", { id: "coverage-title" }, "Coverage"),
    el("p", { class: "muted" }, "Code x scale byte, all 16 x 256 pairs, of what ran and was compared."),
    el("div", { class: "row" }, choose, el("span", { class: "legend" },
      el("span", { class: "ramp", style: "background:linear-gradient(90deg,var(--cover-low),var(--cover-high))" }), "decoded, few to many",
      el("span", { class: "box", style: "background:var(--unhit)" }), "never decoded")),
    scrolled("Coverage picture", frame), readout, detail);
  return { node, start: show };
};
