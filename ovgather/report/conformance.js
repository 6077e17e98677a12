const status = document.getElementById("status"), search = document.getElementById("search");
const rows = [...document.querySelectorAll("#cases tbody tr")].map(row => [row, row.cells[1].textContent,
  row.textContent.toLowerCase()]);
const shown = document.getElementById("shown");
const filter = () => {
  const words = search.value.toLowerCase().split(" ").filter(word => word);
  let count = 0;
  for (const [row, own, text] of rows) {
    row.hidden = status.value !== "all" && own !== status.value || !words.every(word => text.includes(word));
    count += !row.hidden;
  }
  shown.textContent = `${count} of ${rows.length} cases`;
};
status.addEventListener("change", filter);
search.addEventListener("input", filter);
filter();
