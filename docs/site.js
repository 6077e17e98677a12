// An option is found by its words: in the language of the search, "+" wants a word, and "-" wants it not to occur.
document.addEventListener("input", event => {
  const box = event.target;
  if (!box.matches?.("[data-md-component=search-query]")) return;
  const words = box.value.replace(/(^|\s)(?:--|\+)([\w-]*\w)/g, (_, before, name) => `${before}+${name.replaceAll("-", " +")}`);
  if (words !== box.value) box.value = words;
}, true);
// A wide table is scrolled by the keyboard, too. The theme wraps it after the page is read.
function reachable() {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) table.tabIndex = 0;
}
document.addEventListener("DOMContentLoaded", () => {
  reachable();
  new MutationObserver(reachable).observe(document.body, { childList: true, subtree: true });
});
