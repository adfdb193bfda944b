(() => {
  const luminance = ([r, g, b]) => {
    const part = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const rgba = (text) => text.match(/[\d.]+/g).map(Number);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = rgba(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const visible = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const texts = [...document.querySelectorAll("body *:not(svg *):not(script)")].filter(
    (e) => visible(e) && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()),
  );
  const contrasts = texts.map((e) => {
    const [a, b] = [luminance(rgba(getComputedStyle(e).color)), luminance(ground(e))];
    return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 120)];
  });
  const root = document.documentElement;
  // Whatever sticks out to the right must be inside a region that scrolls by itself.
  const beyond = [...document.querySelectorAll("body *")].filter(
    (e) => visible(e) && !e.closest(".scroll, .skip") && e.getBoundingClientRect().right > innerWidth + 0.5,
  );
  const table = document.querySelector("table.data");
  const column = (index) => [...table.tBodies[0].rows].map((row) => row.cells[index].textContent);
  const orders = [];
  if (table) {
    for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
      for (const wanted of ["ascending", "descending", null]) {
        head.querySelector("button").click();
        orders.push({ head: head.textContent, wanted, said: head.getAttribute("aria-sort"), cells: column(index) });
      }
    }
  }
  const filter = document.querySelector(".filter input");
  let filtered = null;
  if (filter) {
    filter.value = "EXAMPLE7abc operating";
    filter.dispatchEvent(new Event("input"));
    const rows = [...filter.closest(".filter").nextElementSibling.querySelectorAll("tbody tr")];
    filtered = { shown: rows.filter(visible).length, said: document.querySelector(".filter [role=status]").textContent };
  }
  const worst = contrasts.sort((a, b) => a[0] - b[0])[0];
  Object.assign(window.probe, {
    width: innerWidth,
    scrollWidth: root.scrollWidth,
    beyond: beyond.map((e) => e.outerHTML.slice(0, 120)),
    charts: [...document.querySelectorAll("figure svg")].filter(visible).length,
    contrast: worst[0],
    faintest: worst[1],
    orders,
    filtered,
  });
  parent.postMessage(JSON.stringify(window.probe), "*");
})();
