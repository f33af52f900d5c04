// SPDX-License-Identifier: Apache-2.0
// The list of what did not pass, filtered, and the picture of the page that follows the filter.
const site_of = (mismatch) => Object.entries(mismatch.site || {});

// "0x38 = 0b0'0111'000, sign 0, ..., normal, 1" is short "0x38 (1)": its fields are there on demand.
const in_short = (text) => {
  const [code, fields] = text.split(" = 0b");
  return fields === undefined ? text : `${code} (${fields.split(", ").pop()})`;
};
// Coordinates that follow from the others, or that say where a page came from: shown with the fields.
const beside = new Set(["request", "logical_page", "page_id", "group"]);
const of_result = new Set(["code", "scale", "product", "expected", "actual"]);

// From the outside in; names that are not here come last.
const outer_first = ["output_page", "page", "plane", "head", "token", "word", "lane", "element"];
const depth = (name) => (outer_first.includes(name) ? outer_first.indexOf(name) : outer_first.length);
const place_of = (site, more) => Object.entries(site)
  .filter(([name, value]) => typeof value === "number" && beside.has(name) === more)
  .sort(([a], [b]) => depth(a) - depth(b))
  .map(([name, value]) => `${words(name)} ${value}`).join(", ");
const product_of = (site) => site.code !== undefined && site.scale !== undefined
  ? `${in_short(site.code)} × ${in_short(site.scale)}${site.product === undefined ? "" : ` = ${site.product}`}`
  : Object.entries(site).filter(([name, value]) => typeof value === "string" && !of_result.has(name))
    .map(([name, value]) => `${words(name)} ${in_short(value)}`).join(", ");

// Place, what was computed, what was expected, what came: one line each, the fields of the codes on
// demand. An operation that says both results decoded is shown so, else their bits are.
const mismatch_table = (failure) => {
  const digits = (m) => Math.max(2, hex(Math.max(m.expected, m.actual)).length);
  const result = (m, site, name, tone) => {
    const text = site[name] ?? `0x${hex(m[name], digits(m))}`;
    return el("td", { class: tone }, in_short(text), in_short(text) !== text && el("span", { class: "fields" }, text.split(" = ")[1]));
  };
  const rows = failure.first.map((m) => {
    const site = Object.fromEntries(site_of(m));
    return el("tr", {},
      el("td", { class: "place" }, failure.first.some((other) => other.tensor !== m.tensor) && `${m.tensor} `,
        place_of(site, false) || `${m.tensor} byte ${number(m.byte)}`,
        el("span", { class: "fields" }, [place_of(site, true), `${m.tensor} byte ${number(m.byte)}`].filter(Boolean).join(", "))),
      el("td", { class: "place" }, product_of(site)), result(m, site, "expected", "good"), result(m, site, "actual", "bytes"));
  });
  const table = el("table", {}, el("caption", { class: "visually-hidden" }, `First wrong elements of ${failure.case}`),
    el("thead", {}, el("tr", {}, ["Place", "Code × scale", "Expected", "Got"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows));
  const fields = el("button", { type: "button", class: "fields-button", "aria-pressed": "false", onclick: () => {
    const on = table.classList.toggle("with-fields");
    fields.setAttribute("aria-pressed", String(on));
  } }, "Bit fields");
  return el("div", { class: "first" }, fields, scrolled(`First wrong elements of ${failure.case}`, table));
};

const copy_button = (text) => el("button", {
  type: "button", "aria-label": "Copy the command",
  onclick: async (event) => {
    const button = event.currentTarget;
    try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; say("Copied"); } catch {
      const code = button.parentNode.querySelector("code");
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  },
}, "Copy");

const failure_body = (failure) => el("div", { class: "body" },
  failure.explanation && el("p", {}, failure.explanation),
  failure.same_bytes_classes.length > 0 && el("p", { class: "muted" }, `The same bytes on these inputs: ${failure.same_bytes_classes.map(words).join(", ")}.`),
  failure.matching_profile && el("p", {}, "All bytes agree with the profile ", el("code", {}, failure.matching_profile), "."),
  failure.waiver && el("p", {}, tag("waived", "waived"), ` ${failure.waiver}`),
  failure.trespasses.length > 0 && el("ul", {}, failure.trespasses.map((t) =>
    el("li", {}, `${t.tensor}, ${t.region}: ${plural(t.count, "byte")} changed, the first at byte ${t.byte}: expected ${hex(t.expected)}, got ${hex(t.actual)}`))),
  failure.first.length > 0 && mismatch_table(failure),
  failure.mismatches > failure.first.length && el("p", { class: "muted" },
    `${number(failure.first.length)} of ${plural(failure.mismatches, "wrong element")} listed here; the results file holds up to 64.`),
  failure.reproduce && el("div", {}, el("p", { class: "muted" }, "Reproduce"),
    el("div", { class: "command" }, el("code", {}, failure.reproduce), copy_button(failure.reproduce))));

const make_failures = () => {
  const all = data.failures;
  const page = 25;
  let shown = page, matching = all, chosen_class = null, open = null;

  const search = el("input", { type: "search", placeholder: "Filter by case, class or text  (press / )", "aria-label": "Filter failures" });
  const select = (label, key) => {
    const values = Array.from(new Set(all.map((failure) => failure[key]))).sort();
    const node = el("select", { "aria-label": label, hidden: values.length < 2 && "hidden" }, el("option", { value: "" }, `${label}: all`),
      values.map((value) => el("option", { value }, words(value))));
    node.addEventListener("change", () => apply());
    return [key, node];
  };
  const selects = [select("Verdict", "status"), select("Operation", "operation"), select("Path", "path"), select("Device", "device")];
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Fault classes" });
  const list = el("div", { class: "failures" });
  const more = el("button", { type: "button", class: "more", onclick: () => { shown += page; render(); } });
  const total = el("p", { class: "muted", role: "status" });
  const picture = make_picture(() => { if (open) open.open = false; });
  const small = el("div", { class: "thumbs", role: "group", "aria-label": "Wrong places by fault class" });

  const text_of = (failure) => (failure.text ??= [failure.case, failure.operation, failure.path, failure.device, failure.fault_class,
    words(failure.fault_class), failure.reason, failure.explanation].join("\n").toLowerCase());
  const passes = (failure, but_class) =>
    selects.every(([key, node]) => !node.value || failure[key] === node.value) &&
    search.value.toLowerCase().split(/\s+/).every((word) => text_of(failure).includes(word)) &&
    (but_class || chosen_class === null || failure.fault_class === chosen_class);

  const item = (failure) => {
    const node = el("details", { class: `failure tone-${tones[failure.status]}`, id: `case-${failure.index}` },
      el("summary", {},
        el("div", { class: "head" }, tag(tones[failure.status], words(failure.status)), el("span", { class: "name" }, failure.case)),
        el("div", { class: "head" }, el("span", {}, `${failure.path} on ${failure.device}`), failure.fault_class && tag("none", words(failure.fault_class))),
        el("div", { class: "reason" }, failure.reason)));
    node.addEventListener("toggle", () => {
      if (node.open) {
        if (!node.querySelector(".body")) node.append(failure_body(failure));
        if (open && open !== node) open.open = false;
        open = node;
        picture.show(matching, failure);
      } else if (open === node) {
        open = null;
        picture.show(matching);
      }
    });
    return node;
  };

  const render = () => {
    const have = list.childElementCount;
    list.append(...matching.slice(have, shown).map(item));
    if (!matching.length) list.replaceChildren(el("div", { class: "none" }, "No failure matches the filter."));
    more.hidden = matching.length <= shown;
    more.textContent = `Show ${Math.min(page, matching.length - shown)} more of ${number(matching.length - shown)}`;
  };
  const classes = () => {
    const counts = new Map();
    for (const failure of all) if (passes(failure, true)) counts.set(failure.fault_class, (counts.get(failure.fault_class) || 0) + 1);
    if (chosen_class !== null && !counts.has(chosen_class)) counts.set(chosen_class, 0);
    chips.replaceChildren(...Array.from(counts).sort((a, b) => b[1] - a[1]).map(([name, n]) =>
      el("button", { type: "button", "aria-pressed": String(name === chosen_class), "data-class": name, onclick: () => choose(name, chips) },
      name ? words(name) : "no class", el("span", { class: "n" }, number(n)))));
  };
  const choose = (name, group) => {
    chosen_class = name === chosen_class ? null : name;
    apply();
    for (const button of group.children) if (button.dataset.class === name) button.focus();
  };
  // The same picture small, once per class: different faults leave different marks.
  const thumbs = () => {
    const groups = new Map();
    for (const failure of all) {
      if (failure.map < 0 || !passes(failure, true)) continue;
      if (!groups.has(failure.fault_class)) groups.set(failure.fault_class, []);
      groups.get(failure.fault_class).push(failure);
    }
    const sorted = Array.from(groups).sort((a, b) => b[1].length - a[1].length).slice(0, 9);
    small.hidden = sorted.length < 2;
    small.replaceChildren(...(small.hidden ? [] : sorted.map(([name, group]) => {
      const canvas = el("canvas", { "aria-hidden": "true" });
      canvas.sum = sum_of(group);
      return el("button", { type: "button", "aria-pressed": String(name === chosen_class), "data-class": name,
        onclick: () => choose(name, small) }, canvas, el("span", {}, name ? words(name) : "no class", el("span", { class: "n" }, number(group.length))));
    })));
    draw_thumbs();
  };
  const draw_thumbs = () => { for (const button of small.children) draw_sum(button.firstChild, button.firstChild.sum); };
  drawers.add(draw_thumbs);
  const apply = () => {
    matching = all.filter((failure) => passes(failure, false));
    shown = page;
    open = null;
    list.replaceChildren();
    classes();
    thumbs();
    render();
    const more_in_file = data.failures_left_out ? ` ${number(data.failures_left_out)} more are in results.jsonl; the page holds the first, and some of every kind.` : "";
    total.textContent = (matching.length === all.length ? `${plural(all.length, "case")} did not pass.` : `${number(matching.length)} of ${plural(all.length, "case")} that did not pass.`) + more_in_file;
    picture.show(matching);
  };
  let waiting = 0;
  search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    search.focus();
  });

  const node = el("section", { id: "failures", "aria-labelledby": "failures-title" },
    el("h2", { id: "failures-title" }, "Failures"), total,
    el("div", { class: "filters" }, search, selects.map(([, s]) => s)), chips,
    el("div", { class: "split" }, el("div", { class: "picture" }, picture.node, small), el("div", {}, list, more)));
  return { node, start: apply };
};
