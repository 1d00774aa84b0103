"use strict";
// Files dropped anywhere on an area are those of its field; what is too large is told before it is sent.
{
  const form = document.getElementById("new");
  const complaint = document.getElementById("complaint");
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

  function complain(words) {
    complaint.textContent = words;
    complaint.hidden = !words;
  }

  function fault() {
    const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
    const large = files.find((file) => file.size > Number(form.dataset.maxFile));
    if (large) return `${large.name} has ${megabytes(large.size)}; the most that one file may have is ${megabytes(form.dataset.maxFile)}.`;
    if (document.getElementById("opinions").files.length > Number(form.dataset.maxFiles)) return `The most opinions at once is ${form.dataset.maxFiles}.`;
    const total = files.reduce((sum, file) => sum + file.size, 0);
    if (total > Number(form.dataset.max)) return `These files have ${megabytes(total)}; the most at once is ${megabytes(form.dataset.max)}.`;
    return "";
  }

  for (const area of document.querySelectorAll(".drop")) {
    const input = area.querySelector("input");
    const chosen = area.querySelector(".chosen");
    const tell = () => {
      const files = [...input.files];
      chosen.textContent = files.length > 1 ? `${files.length} files` : files.map((file) => file.name).join("");
      complain(fault());
    };
    input.addEventListener("change", tell);
    area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("over"); });
    area.addEventListener("dragleave", () => area.classList.remove("over"));
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      area.classList.remove("over");
      if (!input.multiple && event.dataTransfer.files.length > 1) { complain("Give one brief."); return; }
      input.files = event.dataTransfer.files;
      tell();
    });
  }
  // A file that misses the areas would be opened instead of this page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

  form.addEventListener("submit", (event) => {
    const words = fault();
    complain(words);
    if (words) { event.preventDefault(); return; }
    const button = form.querySelector("button");
    button.textContent = "Sending the files …";
    button.setAttribute("aria-disabled", "true");
  });
}
