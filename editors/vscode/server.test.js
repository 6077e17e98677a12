"use strict";
const assert = require("node:assert");
const { spawn } = require("node:child_process");
const test = require("node:test");
const { serverCommand } = require("./server.js");

test("the setting wins over the Python extension, and that over the PATH", () => {
  assert.strictEqual(serverCommand(["server"], "/a/python", "/b/python").command, "/a/python");
  assert.strictEqual(serverCommand(["server"], "", "/b/python").command, "/b/python");
  assert.deepStrictEqual(serverCommand(["server"], "", ""), { command: "ovgather", args: ["server"] });
});

test("the server answers", { skip: !process.env.OVGATHER_PYTHON }, async () => {
  const { command, args } = serverCommand(["server"], process.env.OVGATHER_PYTHON, "");
  const server = spawn(command, args);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize",
    params: { processId: null, rootUri: null, capabilities: {}, initializationOptions: { rules: "" } } });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  const answer = await new Promise(resolve => server.stdout.once("data", data => resolve(String(data))));
  server.kill();
  assert.match(answer, /"completionProvider"/);
  assert.match(answer, /"codeLensProvider"/);
});
