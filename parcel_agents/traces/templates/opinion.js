"use strict";
// Text reaches the page by textContent alone: nothing here ever reads HTML.
const make = (tag, kind, text) => {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  return element;
};

// A cite in the clipboard; true if it got there.
async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch {
    const field = make("textarea", "vh");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

// The opinion beside a claim: its text with the places marked that the claim's article names.
function opinionPane(pane) {
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

  function show(opinion, article) {
    pane.textContent = "";
    if (!opinion) {
      pane.append(make("h2", "", "No opinion"), make("p", "note", "The opinion that this claim cites was not read."));
      return;
    }
    const marks = marksOf(article);
    const pages = [...opinion.pages].sort((a, b) => a[0] - b[0]);
    const built = document.createDocumentFragment();
    built.append(make("h2", "", opinion.name), make("p", "note", opinion.about));
    for (const doubt of opinion.doubts) built.append(make("p", "note caution", doubt));
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

  return { show, goTo };
}
