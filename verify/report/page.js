// Sorts a table by the column whose heading is clicked: numbers by value, what has no value last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  headings.forEach((heading, column) => {
    const numeric = heading.classList.contains("n");
    const key = (row) => {
      const value = row.cells[column].dataset.v;
      return numeric ? Number(value) : value;
    };
    heading.querySelector("button").addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === (numeric ? null : "ascending");
      const sign = descending ? -1 : 1;
      const order = (a, b) => {
        const x = key(a), y = key(b);
        if (numeric && (Number.isNaN(x) || Number.isNaN(y))) return Number.isNaN(x) - Number.isNaN(y);
        return x < y ? -sign : x > y ? sign : 0;
      };
      const rows = [...body.rows].sort(order);
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      body.append(...rows);
    });
  });
}
// The map of one bound over two axes, as chosen.
const explore = document.getElementById("explore");
if (explore) {
  const data = JSON.parse(explore.querySelector("script").textContent);
  const { measure, bound, rows, columns } = explore.querySelector("form").elements;
  const fill = (select, words) => words.forEach((word, i) => select.add(new Option(word, i)));
  fill(measure, data.measures);
  fill(bound, data.bounds);
  fill(rows, data.axes);
  fill(columns, data.axes);
  columns.value = Math.max(data.axes.indexOf("beta"), 1);
  const cell = (kind, text) => {
    const made = document.createElement(kind);
    made.textContent = text;
    return made;
  };
  const draw = () => {
    const table = explore.querySelector("table");
    const key = (r, c) => [measure.value, bound.value, r, c].join(" ");
    const straight = data.maps[key(rows.value, columns.value)], turned = data.maps[key(columns.value, rows.value)];
    const map = straight || turned;
    table.replaceChildren();
    if (!map) {
      table.createCaption().textContent = rows.value === columns.value ? "Choose two different axes."
        : "Nothing of this is known here.";
      return;
    }
    const names = straight ? [map.rows, map.columns] : [map.columns, map.rows];
    table.createCaption().textContent = measure.selectedOptions[0].text + " of " + bound.selectedOptions[0].text +
      (map.depth ? ", at depth " + map.depth : "");
    const head = table.createTHead().insertRow();
    head.append(cell("th", rows.selectedOptions[0].text + " \\ " + columns.selectedOptions[0].text));
    for (const name of names[1]) head.append(cell("th", name));
    const body = table.createTBody();
    names[0].forEach((name, i) => {
      const row = body.insertRow();
      row.append(cell("th", name));
      names[1].forEach((_, j) => {
        const found = straight ? map.cells[i][j] : map.cells[j][i], made = row.insertCell();
        if (!found) return;
        made.innerHTML = found[0];
        made.className = "s" + found[1];
        made.title = found[2];
      });
    });
  };
  explore.querySelector("form").addEventListener("change", draw);
  draw();
}
// Paper shows what is folded away on a screen.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
