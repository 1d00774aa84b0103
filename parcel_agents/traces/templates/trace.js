"use strict";
// Text reaches the page by textContent alone: nothing here ever reads HTML.
document.documentElement.classList.add("js");
document.addEventListener("DOMContentLoaded", () => {
  const $ = (id) => document.getElementById(id);
  const links = [...document.querySelectorAll("nav ol a")];
  const articles = links.map((link) => document.querySelector(`article[id="${link.hash.slice(1)}"]`));
  const pane = $("opinion");
  const words = links.map((link) => link.textContent.toLowerCase());
  const out = new Set();
  const opinions = new Map();
  let chosen = -1;
  let filter = "";
  let loading = true;

  const make = (tag, kind, text) => {
    const element = document.createElement(tag);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // The opinion

  function read(place) {
    if (!opinions.has(place)) opinions.set(place, JSON.parse($(`o${place}`).textContent));
    return opinions.get(place);
  }

  function marksOf(article) {
    return [...article.querySelectorAll("[data-at]")].map((element) => {
      const [start, end] = element.dataset.at.split("-").map(Number);
      return { start, end, kind: element.dataset.mark };
    }).filter((mark) => mark.end > mark.start);
  }

  const TOLD = { supports: "supports the claim", contradicts: "contradicts the claim", nearest: "nearest passage",
    differs: "differing words", quoted: "quoted words" };

  function paragraph(text, start, end, marks, pages) {
    const made = make("p");
    const inside = marks.filter((mark) => mark.start < end && start < mark.end);
    const marked = pages.filter(([at]) => start <= at && at < end);
    const edges = [...new Set([start, end, ...marked.map(([at]) => at),
      ...inside.flatMap((mark) => [Math.max(start, mark.start), Math.min(end, mark.end)])])].sort((a, b) => a - b);
    edges.slice(0, -1).forEach((from, index) => {
      for (const [, name] of marked.filter(([at]) => at === from)) {
        const page = make("span", "page", `[${name}] `);
        made.append(page);
      }
      const piece = text.slice(from, edges[index + 1]);
      const kinds = [...new Set(inside.filter((mark) => mark.start <= from && from < mark.end).map((mark) => mark.kind))];
      if (!kinds.length) { made.append(piece); return; }
      const mark = make("mark", kinds.join(" "));
      mark.dataset.from = from;
      for (const each of inside.filter((one) => one.start === from)) mark.append(make("span", "vh", `[${TOLD[each.kind]}: ] `));
      mark.append(piece);
      made.append(mark);
    });
    return made;
  }

  function showOpinion(article) {
    pane.textContent = "";
    const place = article.dataset.opinion;
    if (!place) {
      pane.append(make("h2", "", "No opinion"), make("p", "note", "The opinion that this claim cites was not read."));
      return;
    }
    const opinion = read(place);
    const marks = marksOf(article);
    const pages = [...opinion.pages].sort((a, b) => a[0] - b[0]);
    const built = document.createDocumentFragment();
    built.append(make("h2", "", opinion.name), make("p", "note", opinion.about));
    const legend = make("p", "legend", marks.length ? "Marked: " : "Nothing in it is marked for this claim.");
    for (const kind of new Set(marks.map((mark) => mark.kind))) legend.append(make("mark", kind, TOLD[kind]), " ");
    built.append(legend);
    for (const [start, end, kind, voice, note] of opinion.parts) {
      const part = make("section", `part ${kind}${note ? " note-part" : ""}`);
      part.setAttribute("aria-label", voice);
      const margin = make("div", "voice");
      margin.append(make("span", "", voice));
      const text = make("div", "text");
      let from = start;
      while (from < end) {
        const gap = opinion.text.indexOf("\n\n", from);
        const to = gap < 0 || gap >= end ? end : gap;
        if (opinion.text.slice(from, to).trim()) text.append(paragraph(opinion.text, from, to, marks, pages));
        from = to + 2;
      }
      part.append(margin, text);
      built.append(part);
    }
    pane.append(built);
    pane.scrollTop = 0;
    // What differs tells most; what is only near comes last.
    const rank = ["differs", "contradicts", "supports", "quoted", "nearest"];
    const [first] = [...marks].sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind));
    if (first) goTo(first.start, first.end);
  }

  // The pane alone is scrolled: the claim beside it stays where it is.
  function goTo(start, end) {
    for (const old of pane.querySelectorAll("mark.here")) old.classList.remove("here");
    const marks = [...pane.querySelectorAll("mark[data-from]")];
    const here = marks.filter((one) => start <= Number(one.dataset.from) && Number(one.dataset.from) < end);
    if (!here.length) return;
    for (const mark of here) mark.classList.add("here");
    pane.scrollTop += here[0].getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  }

  // The list

  function choose(index, focus) {
    if (index < 0 || index >= links.length) return;
    if (chosen >= 0) {
      links[chosen].removeAttribute("aria-current");
      articles[chosen].classList.remove("chosen");
    }
    chosen = index;
    links.forEach((link, place) => { link.tabIndex = place === index ? 0 : -1; });
    links[index].setAttribute("aria-current", "true");
    links[index].scrollIntoView({ block: "nearest" });
    articles[index].classList.add("chosen");
    $("traces").scrollTop = 0;
    $("none").hidden = true;
    showOpinion(articles[index]);
    // While the page loads, an address with a place in it would make the browser scroll there.
    if (!loading) history.replaceState(null, "", links[index].hash);
    if (focus) focus.focus({ preventScroll: true });
  }

  function step(by, from) {
    for (let place = from + by; place >= 0 && place < links.length; place += by) {
      if (!out.has(place)) { choose(place, links[place]); return; }
    }
  }

  function refresh() {
    const wanted = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    out.clear();
    links.forEach((link, place) => {
      const fits = (!filter || link.dataset.status === filter) && wanted.every((word) => words[place].includes(word));
      if (!fits) out.add(place);
      link.parentElement.hidden = !fits;
      articles[place].classList.toggle("out", !fits);
    });
    $("shown").textContent = `${links.length - out.size} of ${links.length} claims shown`;
    if (chosen < 0 || out.has(chosen)) {
      const first = links.findIndex((_, place) => !out.has(place));
      if (first >= 0) choose(first);
      else {
        if (chosen >= 0) articles[chosen].classList.remove("chosen");
        if (chosen >= 0) links[chosen].removeAttribute("aria-current");
        chosen = -1;
        pane.textContent = "";
        $("none").hidden = false;
      }
    }
  }

  async function copy(text) {
    let done = false;
    try { await navigator.clipboard.writeText(text); done = true; } catch {
      const field = make("textarea", "vh");
      field.value = text;
      document.body.append(field);
      field.select();
      done = document.execCommand("copy");
      field.remove();
    }
    $("said").textContent = done ? "Cite copied" : "The cite could not be copied";
    return done;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    const link = event.target.closest("nav ol a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      choose(links.indexOf(link), link);
      // Where the panes stand one below the other, the claim is out of sight.
      if (getComputedStyle($("traces")).overflowY === "visible") articles[chosen].scrollIntoView();
    } else if (button && button.dataset.filter !== undefined) {
      filter = button.dataset.filter;
      for (const one of document.querySelectorAll("[data-filter]")) one.setAttribute("aria-pressed", String(one === button));
      refresh();
    } else if (button && button.dataset.show) {
      goTo(...button.dataset.show.split("-").map(Number));
      pane.scrollIntoView({ block: "nearest" });
      $("said").textContent = "Shown in the opinion";
    } else if (button && button.dataset.copy !== undefined) {
      const done = await copy(button.dataset.copy);
      button.focus();
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy cite"; }, 1500);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const active = document.activeElement;
    const search = active === $("search");
    if (search && event.key === "Escape") { $("search").value = ""; refresh(); }
    if (search && event.key !== "ArrowDown") return;
    const inList = active === document.body || search || links.includes(active);
    const next = event.key === "j" || (inList && event.key === "ArrowDown");
    const before = event.key === "k" || (inList && event.key === "ArrowUp");
    if (search) { if (chosen >= 0) links[chosen].focus(); }
    else if (next) step(1, chosen);
    else if (before) step(-1, chosen);
    else if (inList && event.key === "Home") step(1, -1);
    else if (inList && event.key === "End") step(-1, links.length);
    else if (event.key === "/") $("search").focus();
    else return;
    event.preventDefault();
  });

  addEventListener("hashchange", () => choose(links.findIndex((link) => link.hash === location.hash)));
  $("search").addEventListener("input", refresh);
  const asked = links.findIndex((link) => link.hash === location.hash);
  if (asked >= 0) choose(asked);
  refresh();
  loading = false;
});
