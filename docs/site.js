// An option is found by its words: in the language of the search, "+" wants a word, and "-" wants it not to occur.
document.addEventListener("input", event => {
  const box = event.target;
  if (!box.matches?.("[data-md-component=search-query]")) return;
  const words = box.value.replace(/(^|\s)(?:--|\+)([\w-]*\w)/g, (_, before, name) => `${before}+${name.replaceAll("-", " +")}`);
  if (words !== box.value) box.value = words;
}, true);
