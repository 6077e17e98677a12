"use strict";
const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { serverCommand } = require("./server.js");

let client;

/** The interpreter that the Python extension has for the workspace, if it is there. */
async function pythonExtension() {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (!extension) return "";
  const python = await extension.activate();
  return python?.environments?.getActiveEnvironmentPath()?.path ?? "";
}

async function command(words) {
  const setting = vscode.workspace.getConfiguration("ovgather").get("interpreter");
  return serverCommand(words, setting, setting ? "" : await pythonExtension());
}

async function start() {
  const settings = vscode.workspace.getConfiguration("ovgather");
  client = new LanguageClient("ovgather", "ovgather", await command(["server"]), {
    documentSelector: [{ language: "xml" }],
    initializationOptions: { rules: settings.get("rules") },
  });
  try {
    await client.start();
  } catch (error) {
    const answer = await vscode.window.showErrorMessage(
      `ovgather does not start: ${error.message ?? error}. Is ovgather[lsp] installed there?`, "Open the setting");
    if (answer) vscode.commands.executeCommand("workbench.action.openSettings", "ovgather.interpreter");
  }
}

async function restart() {
  await client?.stop().catch(() => undefined);
  await start();
}

/** The consumers of a layer, as the editor lists references. */
async function consumers(uri, position) {
  const place = [vscode.Uri.parse(uri), new vscode.Position(position.line, position.character)];
  const locations = await vscode.commands.executeCommand("vscode.executeReferenceProvider", ...place);
  await vscode.commands.executeCommand("editor.action.showReferences", ...place, locations);
}

/** The page of `ovgather show --neighbours` about the layer at the cursor, of the saved file. */
async function graph() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const before = editor.document.getText(new vscode.Range(new vscode.Position(0, 0),
    editor.document.lineAt(editor.selection.active.line).range.end));
  const id = [...before.matchAll(/<layer\s[^<>]*?\bid="(\d+)"/g)].pop()?.[1];
  if (id === undefined) {
    vscode.window.showInformationMessage("There is no layer above the cursor.");
    return;
  }
  const words = ["show", editor.document.fileName, "--layer", `#${id}`, "--neighbours", "--format", "html"];
  const { command: program, args } = await command(words);
  execFile(program, args, { maxBuffer: 1 << 28 }, (error, page, said) => {
    if (error) {
      vscode.window.showErrorMessage(said.trim() || String(error));
      return;
    }
    const options = { enableScripts: true, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel("ovgather", `Layer ${id}`, vscode.ViewColumn.Beside, options);
    panel.webview.html = page;
  });
}

exports.activate = async context => {
  const commands = { "ovgather.restart": restart, "ovgather.consumers": consumers, "ovgather.graph": graph };
  for (const [name, action] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration("ovgather")) restart();
  }));
  await start();
};
exports.deactivate = () => client?.stop();
