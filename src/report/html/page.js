"use strict";
for (const table of document.querySelectorAll("table.data")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const compare = (a, b) => {
    if ("value" in a.dataset && "value" in b.dataset) return a.dataset.value - b.dataset.value;
    return collator.compare(a.textContent, b.textContent);
  };
  const sort = (column, direction) => {
    const sorted = rows.slice();
    if (direction) {
      sorted.sort((x, y) => {
        const [a, b] = [x.cells[column], y.cells[column]];
        const [unknownA, unknownB] = ["unknown" in a.dataset, "unknown" in b.dataset];
        if (unknownA || unknownB) return unknownA - unknownB;
        return direction === "ascending" ? compare(a, b) : compare(b, a);
      });
    }
    body.append(...sorted);
  };
  const next = { ascending: "descending", descending: null };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const direction = now ? next[now] : "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (direction) head.setAttribute("aria-sort", direction);
      sort(column, direction);
    });
  });
  if (rows.length < 6) continue;
  const bar = document.createElement("div");
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("span");
  bar.className = "filter";
  input.type = "search";
  count.setAttribute("role", "status");
  label.append("Filter rows: ", input);
  bar.append(label, count);
  table.parentElement.before(bar);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
}
