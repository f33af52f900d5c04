// SPDX-License-Identifier: Apache-2.0
// Puts the report together: verdict, what ran where, failures, coverage, environment.
const facts = (entries) => el("dl", { class: "facts" }, entries.filter(([, value]) => value).map(([name, value]) =>
  [el("dt", {}, name), el("dd", {}, value)]));
const rate = (n) => (n >= 100 ? n.toFixed(0) : n.toPrecision(3));
const short = (digest) => (digest ? el("code", { title: digest }, digest.slice(0, 16)) : "");
const table = (caption, head, rows) => scrolled(caption, el("table", {}, el("caption", { class: "visually-hidden" }, caption),
  el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col", class: name.endsWith("\u200b") ? "num" : "" }, name)))), el("tbody", {}, rows)));

const make_verdict = () => {
  const mark = { CONFORMS: "✓", MISMATCH: "≠", ERROR: "!", INCOMPLETE: "…", WAIVED: "~", "STALE WAIVERS": "~" }[data.verdict] || "?";
  const count = (name, tone, n) => el("li", { class: `tone-${tone}` }, el("span", { class: "dot" }), el("b", {}, number(n)), name);
  const c = data.counts;
  const parts = [["passed", "pass", c.passed], ["mismatch", "mismatch", c.mismatch], ["error", "error", c.error],
    ["not run", "incomplete", c.not_run], ["waived", "waived", c.waived]];
  return el("section", { id: "verdict", class: `hero tone-${tones[data.verdict] || "none"}`, "aria-label": "Verdict" },
    el("div", {},
      el("div", { class: "verdict" }, el("span", { class: "mark", "aria-hidden": "true" }, mark),
        el("div", {}, el("h1", {}, data.verdict_line), el("p", {}, data.sentence))),
      data.reasons.length + data.notes.length > 0 && el("ul", { class: "reasons" }, [...data.reasons, ...data.notes].map((reason) => el("li", {}, reason)))),
    facts([["Level", data.level], ["Profile", data.profile], ["Seed", String(data.seed)], ["Shard", data.shard],
      ["Suite", `${data.suite.version}${data.suite.commit ? ` (${data.suite.commit.slice(0, 12)}${data.suite.commit.endsWith("-dirty") ? ", changed" : ""})` : ""}`],
      ["Started", data.started], ["Took", data.seconds ? `${data.seconds.toFixed(1)} s` : ""],
      ["Statement", data.statement ? "may be made from this run" : "no"]]),
    el("div", { class: "counts" },
      el("div", { class: "strip", "aria-hidden": "true" }, parts.filter(([, , n]) => n).map(([, tone, n]) => el("i", { class: `tone-${tone}`, style: `flex:${n}` }))),
      el("ul", { "aria-label": "Planned cases" }, el("li", {}, el("b", {}, number(c.planned)), "planned"),
        parts.filter(([name, , n]) => n || name === "passed").map(([name, tone, n]) => count(name, tone, n)))));
};

const make_rows = () => {
  const outcome = (row) => row.mismatch ? ["mismatch", "mismatch"] : row.error ? ["error", "error"]
    : row.passed + row.waived < row.planned ? ["incomplete", "incomplete"] : row.waived ? ["waived", "waived"] : ["pass", "all bytes agree"];
  const cell = (value) => el("td", { class: "num" }, value);
  const ran = data.rows.map((row) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, row.operation)), el("td", {}, row.path), el("td", {}, row.device),
    el("td", {}, tag(...outcome(row))), cell(number(row.planned)), cell(number(row.passed)),
    cell(row.mismatch ? number(row.mismatch) : "–"), cell(row.error ? number(row.error) : "–"),
    cell(row.not_run ? number(row.not_run) : "–"), cell(row.waived ? number(row.waived) : "–"), cell(bytes(row.bytes_compared)),
    cell(row.gigabytes_per_second ? rate(row.gigabytes_per_second) : "–")));
  const z = "\u200b";
  const { modules_never_executed = [], assembled_never_executed = "" } = data.environment;
  const never = [...modules_never_executed, ...(assembled_never_executed ? [`any module for ${assembled_never_executed}`] : [])];
  return el("section", { id: "ran", "aria-labelledby": "ran-title" }, el("h2", { id: "ran-title" }, "What ran where"),
    el("p", { class: "muted" }, data.devices.map((device) => `${device.name}: ${device.description}`).join(" · ")),
    table("Cases by operation, path and device", ["Operation", "Path", "Device", "Result", `Planned${z}`, `Passed${z}`, `Mismatch${z}`, `Error${z}`, `Not run${z}`, `Waived${z}`, `Compared${z}`, `GB/s${z}`], ran),
    never.length > 0 && el("p", { class: "muted", id: "never-executed" }, `Assembled, never executed: ${never.join("; ")}.`),
    data.not_run.length > 0 && el("div", { style: "margin-top:18px" }, el("h3", {}, "Built or known, and not run here"),
      table("What was not run, and why", ["Operation", "Path", "Device", "Why"], data.not_run.map((row) => el("tr", {},
        el("td", {}, row.operation ? el("code", {}, row.operation) : "every operation"), el("td", {}, row.path || "every path"),
        el("td", {}, row.device || "every device"), el("td", {}, row.requested ? tag("incomplete", "asked for") : null, row.requested ? " " : "", row.reason))))));
};

const make_waivers = () => el("section", { id: "waivers", "aria-labelledby": "waivers-title" }, el("h2", { id: "waivers-title" }, "Waivers"),
  el("p", { class: "muted" }, "A waived failure is never counted as passed."),
  table("Waivers", ["Tracker", "Owner", "Expires", "State", `Covers${"\u200b"}`, "Scope"], data.waivers.map((w) => el("tr", {},
    el("td", {}, w.tracker), el("td", {}, w.owner), el("td", {}, w.expires),
    el("td", {}, w.problems.length ? w.problems.map((problem) => tag("mismatch", problem)) : w.covers ? tag("waived", "in use") : tag("none", "not needed here")),
    el("td", { class: "num" }, number(w.covers)), el("td", {}, el("code", {}, w.scope))))));

const make_environment = () => {
  const { shards = [], boards = [], assembled_never_executed, modules_never_executed, ...environment } = data.environment;
  const flatten = (object, prefix = "") => Object.entries(object || {}).flatMap(([name, value]) =>
    value === null ? [] : value && typeof value === "object" && !Array.isArray(value) ? flatten(value, `${prefix}${name} `)
      : name.endsWith("_bytes") && typeof value === "number" ? [[prefix + words(name.slice(0, -6)), bytes(value)]]
        : [[prefix + words(name), Array.isArray(value) ? value.join(", ") : String(value)]]);
  // A fact that was said before, by itself or in a longer one, is not said again.
  const said = [];
  const once = (entries) => entries.filter(([, value]) => {
    if (!value || (value.length > 3 && said.some((before) => before.includes(value)))) return false;
    said.push(value);
    return true;
  });
  return el("section", { id: "environment", "aria-labelledby": "environment-title" }, el("h2", { id: "environment-title" }, "Environment"),
    el("div", { class: "row", style: "align-items:start;gap:28px 48px" },
      el("div", {}, el("h3", {}, "Run"), facts([...once(flatten(environment)), ["Vectors", short(data.vectors_sha256)], ["Plan", short(data.plan_sha256)]])),
      data.devices.map((device) => el("div", {}, el("h3", {}, device.name), facts(once([["description", device.description], ["architecture", device.architecture], ["memory", device.memory_bytes ? bytes(device.memory_bytes) : ""],
        ...flatten(device.facts), ...flatten(boards.find((board) => board.device === device.name))]))))),
    shards.length > 0 && el("details", { class: "plain" }, el("summary", {}, plural(shards.length, "shard")),
      table("Shards", ["Shard", "Host", "Started", "Finished", "Devices"], shards.map((shard) => el("tr", {},
        el("td", {}, String(shard.index)), el("td", {}, shard.environment.host || ""), el("td", {}, shard.started), el("td", {}, shard.finished),
        el("td", {}, shard.devices.map((device) => `${device.name}: ${device.description}`).join("; ")))))),
    data.implementations.length > 0 && el("details", { class: "plain" }, el("summary", {}, plural(data.implementations.length, "implementation")),
      table("Implementations", ["Operation", "Path", "Device", "Origin", "Profile", "Toolkit", "Module"], data.implementations.map((i) => el("tr", {},
        el("td", {}, el("code", {}, i.operation)), el("td", {}, i.path), el("td", {}, i.device), el("td", {}, i.origin), el("td", {}, i.profile), el("td", {}, i.toolkit), el("td", {}, short(i.module_sha256)))))));
};

const start_theme = () => {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const names = ["auto", "light", "dark"];
  let choice = "auto";
  try { choice = localStorage.getItem("fp4cts-theme") || "auto"; } catch { /* a file without storage */ }
  const apply = () => {
    document.documentElement.dataset.theme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
    button.textContent = choice[0].toUpperCase() + choice.slice(1);
    button.setAttribute("aria-label", `Colour theme: ${choice === "auto" ? "automatic" : choice}`);
    redraw();
  };
  button.addEventListener("click", () => {
    choice = names[(names.indexOf(choice) + 1) % names.length];
    try { localStorage.setItem("fp4cts-theme", choice); } catch { /* a file without storage */ }
    apply();
  });
  dark.addEventListener("change", apply);
  apply();
};

const main = document.getElementById("main");
const failures = data.failures.length ? make_failures() : null;
const coverage = data.coverage.length ? make_coverage() : null;
const sections = [make_verdict(), failures && failures.node, make_rows(), data.waivers.length ? make_waivers() : null, coverage && coverage.node, make_environment()].filter(Boolean);
main.replaceChildren(...sections);
document.getElementById("sections").append(...sections.slice(1).map((section) => el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)));
start_theme();
if (failures) failures.start();
if (coverage) coverage.start();
new ResizeObserver(redraw).observe(main);
