// The extension in Visual Studio Code (its server, opened in a browser), on the demo's broken model.
// The arguments are set by .ci/browser: EDITOR_FOLDER, an empty folder; OVGATHER_PYTHON; VSIX.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { launch, until } from "./browser.js";

const { EDITOR_FOLDER: folder, OVGATHER_PYTHON: python, VSIX: extension } = process.env;
const samples = join(import.meta.dirname, "../../samples_xml/demo");
const editor = join(dirname(createRequire(import.meta.url).resolve("code-server/package.json")), "lib/vscode");
const models = join(folder, "models");
const options = ["--accept-server-license-terms",
  ...["extensions-dir", "server-data-dir", "user-data-dir"].flatMap(name => [`--${name}`, join(folder, name)])];
let server, browser, page;

/** The address at which a started server says that it listens. */
function listening(process) {
  return new Promise((resolve, reject) => {
    process.stdout.on("data", data => {
      const port = /listening on (\d+)/.exec(data)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}/`);
    });
    process.on("exit", code => reject(new Error(`Visual Studio Code ended with ${code}`)));
  });
}

before(async () => {
  mkdirSync(join(models, ".vscode"), { recursive: true });
  for (const name of ["broken.xml", "broken.bin"]) copyFileSync(join(samples, name), join(models, name));
  writeFileSync(join(models, ".vscode/settings.json"), JSON.stringify({ "ovgather.interpreter": python }));
  const main = join(editor, "out/server-main.js");
  execFileSync(process.execPath, [main, ...options, "--install-extension", extension]);
  server = spawn(process.execPath, [main, ...options, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"]);
  const address = await listening(server);
  browser = await launch();
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`${address}?folder=${models}`);
  await page.getByRole("button", { name: "Yes, I trust the authors" }).click({ timeout: 60_000 });
  await page.getByRole("treeitem", { name: "broken.xml" }).dblclick();
});

after(async () => {
  if (process.env.SCREEN) await page.screenshot({ path: process.env.SCREEN });
  await browser?.close();
  server?.kill();
});

/** Run a command of the palette. */
async function command(title) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input.input").fill(`>${title}`);
  await page.locator(".quick-input-list").getByRole("option", { name: title }).first().click();
}

async function goToLine(line) {
  await page.keyboard.press("Control+G");
  await page.locator(".quick-input-widget input.input").fill(`:${line}`);
  await page.keyboard.press("Enter");
}

const counts = () => page.locator("#status\\.problems").innerText();
const isCount = (errors, warnings) => text => new RegExp(`\\b${errors}\\b\\D+\\b${warnings}\\b`).test(text);

test("findings stand in the list of problems", async () => {
  await until("the counts of problems", counts, isCount(5, 1));
  await command("Problems: Focus on Problems View");
  const rows = () => page.locator(".markers-panel .monaco-list-row").allInnerTexts();
  const [finding] = await until("the list", rows, texts => texts.some(text => text.includes("OVG203")))
    .then(texts => texts.filter(text => text.includes("OVG203")));
  assert.ok(finding.includes("[Ln 46, Col 11]"), finding);
  assert.ok(finding.includes("OpenVINO: ignores ports"), finding);
});

test("lenses tell the consumers of a layer", async () => {
  const lenses = () => page.locator(".codelens-decoration").allInnerTexts();
  await command("View: Hide Panel");
  await goToLine(36);
  await until("the lenses", lenses, texts => texts.some(text => /consumer/.test(text) && /cross-check/.test(text)));
});

test("a layer is drawn beside the text", async () => {
  await goToLine(36);
  await command("ovgather: Show the layers about the cursor");
  await until("the tabs", () => page.locator(".tab").allInnerTexts(), tabs => tabs.some(tab => /^Layer \d+/.test(tab)));
  const texts = () => Promise.all(page.frames().map(frame => frame.locator("body").innerText().catch(() => "")));
  await until("the picture", texts, pages => pages.some(text => text.includes("inferred f32 [?,6,4]")));
  await command("View: Close Editor");
});

test("the safe fixes are made in the text", async () => {
  await page.getByRole("tab", { name: "broken.xml" }).click();
  await page.locator(".monaco-editor .view-lines").first().click();
  // The editor asks for the actions at the cursor 0.25 s after it moved, and forgets what was asked before.
  const fixed = async () => {
    await command("Fix All");
    await page.waitForTimeout(2000);
    return counts();
  };
  await until("the counts of problems", fixed, isCount(4, 1));
  await command("File: Save");
  const line = () => readFileSync(join(models, "broken.xml"), "utf-8").split("\n")[259].trim();
  await until("line 260 of the file", line, text => text === "<dim>2</dim>");
});

test("an interpreter that is not there is said", async () => {
  const settings = join(models, ".vscode/settings.json");
  writeFileSync(settings, JSON.stringify({ "ovgather.interpreter": "/no/such/python" }));
  const messages = () => page.locator(".notifications-toasts").allInnerTexts();
  await until("the messages", messages, texts => texts.some(text => text.includes("ovgather does not start")));
});
