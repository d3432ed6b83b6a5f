// Opens links in a real Chromium, logs in once, runs what stands in the editor, tells what is seen.
// stdin: {chromium, profile, password, links: [{name, link, shot}]}
// stdout: {seen: {name: {nodes, edges, text}}, outside: [host]}

import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const { chromium: executablePath, profile, password, links } = JSON.parse(readFileSync(0, "utf8"));
const patience = 120_000;

const context = await chromium.launchPersistentContext(profile, {
  executablePath,
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
const seen = {};
for (const { name, link, shot } of links) seen[name] = await look(link, shot);
console.log(JSON.stringify({ seen, outside: [...outside].sort() }));
await context.close();

async function look(link, shot) {
  await page.goto("about:blank");
  await page.goto(link);
  const field = page.locator("[data-testid=password]");
  const connected = page.locator("[data-testid=frame]", { hasText: ":style" });
  await field.or(connected).first().waitFor();
  if (await field.isVisible()) {
    await field.fill(password);
    await page.click("[data-testid=connect]");
  }
  await connected.first().waitFor();
  await page.click("[data-testid=editor-Run]");
  const title = new URL(link).searchParams.get("arg").split("\n")[0];
  const frame = page.locator("[data-testid=frame]", { hasText: title }).first();
  await frame.locator("g.node, [role=table]").first().waitFor();
  await page.waitForTimeout(4000); // the picture comes to rest
  const nodes = await frame.locator("g.node").evaluateAll((all) => all.map((one) => one.textContent));
  const edges = await frame.locator("g.relationship").count();
  if (shot) await frame.screenshot({ path: shot });
  return { nodes, edges, text: await frame.innerText() };
}
