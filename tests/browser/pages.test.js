// Every page that ovgather writes, and those of the site, in a browser: nothing beyond the edges, WCAG AA as axe sees it.
// Set by .ci/browser: PAGES, a folder of HTML files.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer } from "node:http";
import { launch } from "./browser.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const folder = process.env.PAGES;
const names = readdirSync(folder).filter(name => name.endsWith(".html")).sort();
const SCREENS = [
  { screen: "phone", width: 390, colorScheme: "light" },
  { screen: "desktop", width: 1400, colorScheme: "dark" },
];
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml", json: "application/json" };
let browser, server, address;

before(async () => {
  browser = await launch();
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const content = readFileSync(join(folder, path));
      response.writeHead(200, { "Content-Type": TYPES[path.split(".").pop()] ?? "application/octet-stream" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** The elements that reach beyond the right edge, where the page can be scrolled sideways. */
function overflow() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter(element => element.getBoundingClientRect().right > width + 1)
    .map(element => `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`);
}

/** What axe finds: on the site in the text alone, the frame about it is the theme's. */
function violations() {
  const runOnly = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const text = document.querySelector(".md-content") ?? document;
  return globalThis.axe.run(text, { runOnly }).then(result => result.violations
    .map(rule => `${rule.id}: ${rule.nodes.slice(0, 3).map(node => `${node.html} ${node.failureSummary}`).join("\n")}`));
}

test("there are pages", () => assert.ok(names.length > 0));

for (const name of names)
  for (const { screen, width, colorScheme } of SCREENS)
    test(`${name}, ${screen}, ${colorScheme}`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", error => errors.push(String(error)));
      await page.goto(address + name);
      // Details are looked at, too.
      await page.evaluate(() => document.querySelectorAll("details").forEach(element => { element.open = true; }));
      await page.addScriptTag({ content: axe });
      if (process.env.SCREENSHOTS) {
        const path = join(process.env.SCREENSHOTS, `${name}-${screen}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      assert.deepEqual(errors, []);
      assert.deepEqual(await page.evaluate(overflow), []);
      assert.deepEqual(await page.evaluate(violations), []);
      await context.close();
    });
