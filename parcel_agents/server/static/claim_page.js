"use strict";
// One claim: the opinion is fetched and shown beside it, with the marks that its evidence names.
document.documentElement.classList.add("js");
{
  const $ = (id) => document.getElementById(id);
  const article = document.querySelector("article");
  const pane = $("opinion");
  const beside = opinionPane(pane);

  async function load() {
    if (!article.dataset.opinion) { beside.show(null, article); return; }
    pane.textContent = "Fetching the opinion …";
    try {
      const answer = await fetch(article.dataset.opinion);
      if (!answer.ok) throw new Error(answer.status);
      beside.show(await answer.json(), article);
    } catch {
      pane.textContent = "The opinion could not be fetched. Load the page again.";
    }
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.show) {
      beside.goTo(...button.dataset.show.split("-").map(Number));
      pane.scrollIntoView({ block: "nearest" });
      $("said").textContent = "Shown in the opinion";
    } else if (button && button.dataset.copy !== undefined) {
      const done = await copyText(button.dataset.copy);
      button.focus();
      $("said").textContent = done ? "Cite copied" : "The cite could not be copied";
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy cite"; }, 1500);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    const link = { j: $("after"), k: $("before"), u: $("list") }[event.key];
    if (link) link.click();
  });

  load();
}
