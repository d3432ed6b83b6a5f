// Opens links in a real Chromium, logs in once, runs what stands in the editor, tells what is seen.
// stdin: {links: [{name, link, shot?, pick?}], password, profile}; stdout: {name: {...}}

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const { links, password, profile } = JSON.parse(readFileSync(0, "utf8"));
const patience = 120_000;

const context = await chromium.launchPersistentContext(profile, {
  executablePath: "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1200, height: 760 },
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(patience);

const outside = new Set();
await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
  outside.add(new URL(route.request().url()).hostname);
  return route.abort();
});
let received = 0;
page.on("websocket", (socket) =>
  socket.on("framereceived", ({ payload }) => (received += payload.length)),
);

const seen = {};
for (const { name, link, shot, pick } of links) seen[name] = await look(link, shot, pick);
console.log(JSON.stringify({ seen, outside: [...outside].sort() }));
await context.close();

async function look(link, shot, pick) {
  await page.goto("about:blank");
  await page.goto(link);
  const editor = await page.locator("[data-testid=activeEditor]").innerText();
  const field = page.locator("[data-testid=password]");
  const run = page.locator("[data-testid=editor-Run]");
  const status = page.locator("[data-testid=navigationDBMS]");
  await Promise.race([field.waitFor(), page.waitForSelector("[data-testid=viewMetadataFrame], [data-testid=frameCommand]")]).catch(() => {});
  if (await field.isVisible()) {
    await field.fill(password);
    await page.click("[data-testid=connect]");
    await field.waitFor({ state: "detached" });
  }
  await status.waitFor();
  const before = received;
  await run.click();
  const title = new URL(link).searchParams.get("arg").split("\n")[0];
  const frame = page.locator("[data-testid=frame]", { hasText: title.slice(0, 40) }).first();
  await frame.locator("g.node, [role=table], pre").first().waitFor();
  await page.waitForTimeout(3000); // the picture comes to rest
  const nodes = await frame.locator("g.node").evaluateAll((all) => all.map((each) => each.textContent));
  const edges = await frame.locator("g.relationship").count();
  const picked = pick ? await details(frame, pick) : null;
  const text = await frame.innerText();
  if (shot) await frame.screenshot({ path: shot });
  return { editor, nodes, edges, text, picked, bytes: received - before };
}

async function details(frame, label) {
  await frame.locator("g.node", { hasText: label }).first().click({ force: true });
  await page.waitForTimeout(1500);
  return frame.innerText();
}
