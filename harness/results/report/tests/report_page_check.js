// SPDX-License-Identifier: Apache-2.0
// Runs in the report's page after its own scripts, uses the page as a reader would, and writes what
// it found into the document, one line a check.
const found = [];
const check = (what, ok, detail = "") => found.push(`${ok ? "ok" : "FAILED"}: ${what}${ok ? "" : ` (${detail})`}`);
const all_of = (selector) => Array.from(document.querySelectorAll(selector));
const one = (selector) => document.querySelector(selector);
const visible = (node) => node.getClientRects().length > 0;
const key = (node, name, shiftKey = false) => node.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey, bubbles: true }));
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const pixel = (canvas, column, row, columns, rows) => Array.from(canvas.getContext("2d").getImageData(
  Math.floor((column + .5) / columns * canvas.width), Math.floor((row + .5) / rows * canvas.height), 1, 1).data.slice(0, 3)).join(" ");

const luminance = (hex) => parse_colour(hex).map((c) => c / 255).map((c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4))
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
const contrast = (a, b) => {
  const [low, high] = [luminance(colour(a)), luminance(colour(b))].sort((x, y) => x - y);
  return (high + .05) / (low + .05);
};

const check_theme = (theme) => {
  for (const [text, ground] of [["--text", "--bg"], ["--text", "--surface"], ["--muted", "--surface"], ["--muted", "--sunken"], ["--accent", "--surface"],
    ["--pass", "--pass-soft"], ["--mismatch", "--mismatch-soft"], ["--error", "--error-soft"], ["--incomplete", "--incomplete-soft"], ["--waived", "--waived-soft"]]) {
    check(`${theme}: ${text} is legible on ${ground}`, contrast(text, ground) >= 4.5, contrast(text, ground).toFixed(2));
  }
  check(`${theme}: a wrong place stands out from a right one`, contrast("--heat-high", "--cell") >= 3, contrast("--heat-high", "--cell").toFixed(2));
  check(`${theme}: a pair never decoded stands out`, contrast("--unhit", "--cover-high") >= 1.5, contrast("--unhit", "--cover-high").toFixed(2));
};

(async () => {
  check("no script failed", window.problems.length === 0, window.problems.join("; "));
  check("nothing is missing from a sentence", !/\b(null|undefined|NaN)\b|\[object/.test(one("main").innerText), one("main").innerText.match(/.*(null|undefined|NaN|\[object).*/));
  check("the verdict with its scope is the heading", one("h1").textContent === data.verdict_line && data.verdict_line.startsWith(data.verdict), one("h1").textContent);
  check("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth, `${document.documentElement.scrollWidth} > ${innerWidth}`);
  for (const node of all_of("button, select, input, canvas:not([aria-hidden]), a")) {
    const name = node.getAttribute("aria-label") || node.textContent.trim();
    if (visible(node)) check(`${node.tagName.toLowerCase()} has a name`, name.length > 0, node.outerHTML.slice(0, 80));
  }
  const grounds = [];
  const theme = one("#theme");
  for (const name of ["light", "dark"]) {
    while (theme.textContent.toLowerCase() !== name) theme.click();
    check(`the button sets ${name}`, document.documentElement.dataset.theme === name);
    check_theme(name);
    grounds.push(luminance(colour("--bg")));
  }
  check("light is light and dark is dark", grounds[0] > .8 && grounds[1] < .05, grounds.join(" "));

  for (const node of all_of(".scroll")) check("a box that scrolls has a name and the keyboard", node.tabIndex === 0 && node.getAttribute("aria-label"), node.outerHTML.slice(0, 60));
  check("the seed is shown whole", one(".hero .facts").textContent.includes(data.seed), data.seed);
  const values = all_of("#environment dd").filter((node) => !node.querySelector("code")).map((node) => node.textContent).filter((text) => text.length > 3);
  check("the environment says each fact once", new Set(values).size === values.length, values.join(" | "));

  const unproved = [...(data.environment.modules_never_executed || []), data.environment.assembled_never_executed || ""];
  check("what was only assembled is named", unproved.every((name) => !name || one("#never-executed").textContent.includes(name)), unproved.join("; "));

  const rows = all_of("#ran tbody tr");
  check("every row of what ran and did not is there", rows.length === data.rows.length + data.not_run.length, rows.length);
  if (data.failures.length > 0) {
    const map = one("#failures canvas.map");
    const readout = one("#failures .readout");
    check("the list starts with at most 25 failures", all_of(".failure").length === Math.min(25, data.failures.length), all_of(".failure").length);
    // The fixture's mismatches are wrong at every odd element.
    check("right and wrong places are drawn in different colours", pixel(map, 0, 0, 128, 128) !== pixel(map, 1, 0, 128, 128), pixel(map, 0, 0, 128, 128));
    check("equal places are drawn in one colour", pixel(map, 1, 3, 128, 128) === pixel(map, 101, 90, 128, 128));
    check("the picture is said in words", readout.textContent === "8,192 of 16,384 places are wrong: every token; every odd element.", readout.textContent);
    map.focus();
    key(map, "ArrowRight");
    key(map, "ArrowRight");
    key(map, "ArrowDown");
    check("arrow keys move over the page", readout.textContent.startsWith("token 1, element 1, group 0: wrong in "), readout.textContent);
    key(map, "ArrowRight", true);
    check("with shift by a group", readout.textContent.startsWith("token 1, element 17, group 1: wrong in "), readout.textContent);
    check("the place is announced", one("#live").textContent === readout.textContent, one("#live").textContent);
    map.blur();

    const failure = all_of(".failure").find((node) => node.textContent.includes("nibble swap"));
    failure.querySelector("summary").click();
    await wait(50);
    check("an open failure shows its bytes", failure.querySelectorAll("tbody tr").length > 0);
    const box = failure.querySelector(".first .scroll");
    check("place, expected and got are all in view", innerWidth < 900 || box.scrollWidth <= box.clientWidth + 1, `${box.scrollWidth} > ${box.clientWidth}`);
    check("without the fields of the codes", all_of(".fields").every((node) => !visible(node)));
    failure.querySelector(".fields-button").click();
    check("which come when asked for", failure.querySelector(".fields") && Array.from(failure.querySelectorAll(".fields")).every(visible));
    check("and its command", failure.querySelector(".command code").textContent.startsWith("fp4cts run "));
    check("and is alone in the picture", one("#failures h3").textContent.startsWith("Wrong places: "), one("#failures h3").textContent);
    failure.querySelector("summary").click();
    await wait(50);

    const search = one("#failures input");
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    check("/ goes to the filter", document.activeElement === search);
    search.value = "signal 11";
    search.dispatchEvent(new Event("input"));
    await wait(200);
    const errors = data.failures.filter((f) => f.reason.includes("signal 11")).length;
    check("the filter finds text", all_of(".failure").length === Math.min(25, errors), `${all_of(".failure").length} of ${errors}`);
    search.value = "nothing has this";
    search.dispatchEvent(new Event("input"));
    await wait(200);
    check("and says when nothing matches", all_of(".failure").length === 0 && one(".failures").textContent.includes("No failure matches"));
    search.value = "";
    search.dispatchEvent(new Event("input"));
    await wait(200);
    const chip = all_of(".chips button").find((node) => node.textContent.startsWith("nibble swap"));
    chip.click();
    const of_class = data.failures.filter((f) => f.fault_class === "nibble_swap").length;
    check("a class filters", all_of(".failure").length === Math.min(25, of_class), all_of(".failure").length);
    check("and stays pressed and focused", document.activeElement.getAttribute("aria-pressed") === "true");
    document.activeElement.click();
    check("and is let go again", all_of(".failure").length === Math.min(25, data.failures.length));
  } else {
    check("a run without failures has no such section", one("#failures") === null);
  }
  const coverage = one("#coverage canvas");
  coverage.focus();
  key(coverage, "ArrowRight");
  key(coverage, "ArrowRight");
  check("coverage is explored by keys too", one("#coverage .readout").textContent.startsWith("code 0 (0) with scale byte 01: "), one("#coverage .readout").textContent);
  check("no script failed in use", window.problems.length === 0, window.problems.join("; "));
  document.body.replaceChildren(el("pre", { id: "checks" }, found.join("\n")));
})();
