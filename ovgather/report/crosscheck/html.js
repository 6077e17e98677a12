const files = [...document.querySelectorAll("section[aria-labelledby^=file]")];
const box = document.createElement("p"), label = document.createElement("label");
const input = document.createElement("input"), left = document.createElement("output");
input.type = "search";
label.append("Only layers with ", input);
box.append(label, " ", left);
files[0].before(box);
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const file of files) {
    const heading = file.querySelector("h2").textContent;
    const layers = [...file.querySelectorAll("details")];
    for (const layer of layers) {
      const text = `${heading} ${layer.textContent}`.toLowerCase();
      layer.hidden = !words.every(word => text.includes(word));
      shown += !layer.hidden;
    }
    file.hidden = layers.every(layer => layer.hidden);
  }
  left.textContent = `${shown} shown`;
});
