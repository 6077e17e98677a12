for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  for (const head of table.tHead.rows[0].cells) {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = row => row.cells[head.cellIndex].textContent;
      const rows = [...body.rows].sort((a, b) => text(a).localeCompare(text(b), "en", {numeric: true}));
      body.append(...(up ? rows : rows.reverse()));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  }
}
