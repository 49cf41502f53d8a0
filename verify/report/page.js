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
