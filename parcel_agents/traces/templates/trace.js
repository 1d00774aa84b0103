// The page of traces: the list of claims, and the opinion beside the one that is chosen (opinion.js).
document.documentElement.classList.add("js");
document.addEventListener("DOMContentLoaded", () => {
  const $ = (id) => document.getElementById(id);
  const links = [...document.querySelectorAll("nav ol a")];
  const articles = links.map((link) => document.querySelector(`article[id="${link.hash.slice(1)}"]`));
  const pane = $("opinion");
  const beside = opinionPane(pane);
  const words = links.map((link) => link.textContent.toLowerCase());
  const out = new Set();
  const opinions = new Map();
  let chosen = -1;
  let filter = "";
  let loading = true;

  // The opinion

  function read(place) {
    if (!opinions.has(place)) opinions.set(place, JSON.parse($(`o${place}`).textContent));
    return opinions.get(place);
  }

  function showOpinion(article) {
    const place = article.dataset.opinion;
    beside.show(place ? read(place) : null, article);
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
    const done = await copyText(text);
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
      beside.goTo(...button.dataset.show.split("-").map(Number));
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
