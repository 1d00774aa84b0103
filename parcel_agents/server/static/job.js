"use strict";
// A job's page while it runs: claims change as they are done. Text reaches the page by textContent alone.
{
  const $ = (id) => document.getElementById(id);
  const main = $("main");
  const filters = [...document.querySelectorAll("[data-filter]")];
  const items = [...document.querySelectorAll("#claims > li")];
  let show = main.dataset.show;

  function refresh() {
    const counts = new Map();
    for (const item of items) {
      const status = item.dataset.status;
      counts.set(status, (counts.get(status) || 0) + 1);
      item.hidden = Boolean(show) && show !== status;
      const link = item.querySelector("a.words");
      if (link) link.search = show ? `?show=${show}` : "";
    }
    for (const filter of filters) {
      const status = filter.dataset.filter;
      if (status === show) filter.setAttribute("aria-current", "true"); else filter.removeAttribute("aria-current");
      if (!status) continue;
      filter.querySelector(".n").textContent = counts.get(status) || 0;
      filter.hidden = !counts.get(status) && status !== show;
    }
    if ($("none")) $("none").hidden = items.some((item) => !item.hidden);
  }

  for (const filter of filters) {
    filter.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show = filter.dataset.filter;
      history.replaceState(null, "", show ? `?show=${show}` : location.pathname);
      refresh();
    });
  }

  function change(claim) {
    const item = $(`c${claim.number}`);
    if (!item || item.dataset.status === claim.status) return;
    item.dataset.status = claim.status;
    const tag = item.querySelector(".tag");
    tag.className = `tag ${claim.status}`;
    tag.querySelector(".sign").textContent = `${claim.mark} `;
    tag.querySelector(".word").textContent = claim.word;
    const words = item.querySelector("span.words");
    if (words) {
      const link = document.createElement("a");
      link.className = "words";
      link.href = `${location.pathname}/claims/${claim.number}`;
      link.textContent = words.textContent;
      words.replaceWith(link);
    }
  }

  if (main.dataset.running) {
    const source = new EventSource(`${location.pathname}/events?seen=${main.dataset.shown}`);
    source.addEventListener("progress", (event) => {
      const told = JSON.parse(event.data);
      // The claims were found just now: the page that lists them has to be fetched.
      if (told.reload || (told.total && !items.length)) { source.close(); location.reload(); return; }
      $("progress").textContent = told.words;
      $("bar").max = told.total || 1;
      $("bar").value = told.done;
      told.claims.forEach(change);
      refresh();
      if (told.ended) { source.close(); location.reload(); }
    });
    source.addEventListener("error", () => {
      $("progress").textContent = "The app does not answer just now. What was checked so far is kept.";
    });
  }
}
