// The browser of the machine, without its own traffic.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"];

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: OPTIONS });
}

/** Wait until what `read` returns is as `expected` says; what it returned last stands in the error. */
export async function until(what, read, expected, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  let value;
  do {
    value = await read();
    if (expected(value)) return value;
    await new Promise(resolve => setTimeout(resolve, 100));
  } while (Date.now() < end);
  assert.fail(`${what}: after ${seconds} s it is ${JSON.stringify(value).slice(0, 2000)}`);
}
