import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFurnished } from '../support/furnish.ts';
import { filled, screens } from '../support/screens.ts';
import { settled } from '../support/stage.ts';
import type { Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

// npm run screenshots           every screen, light, dark and on a phone, into docs/screenshots
// npm run screenshots -- usage  those whose name holds `usage`

const OUT = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
const LOOKS = [
  { name: 'light', options: { scheme: 'light', width: 1280 } },
  { name: 'dark', options: { scheme: 'dark', width: 1280 } },
  { name: 'phone', options: { scheme: 'light', width: 390 } },
] as const;
/** Requests that the pictures of usage are made of. */
const REQUESTS = 60;
/** Of long lists the beginning is enough. */
const HEIGHT_MAX = 1_400;
/** Charts are drawn, and webhooks told of what the simulated market does, before a picture is taken. */
const STILL_MS = 900;

const wanted = process.argv[2] ?? '';
const house = await openFurnished({ SANDBOX_SYMBOLS: '560', NOW: IN_SESSION });
try {
  await use();
  for (const { name, options } of LOOKS) {
    mkdirSync(join(OUT, name), { recursive: true });
    const visitor = await house.stage.visit(options);
    await visitor.context.addCookies(await house.operator.context.cookies());
    for (const pattern of screens().inside) await shoot(visitor, pattern, name);
    const stranger = await house.stage.visit(options);
    for (const pattern of screens().door) await shoot(stranger, pattern, name);
  }
} finally {
  await house.close();
}

/** Some reads, so that usage and the log have something to show. */
async function use(): Promise<void> {
  const { service, demoKey } = house.stage;
  const symbol = house.values['symbol'] ?? '';
  const paths = [
    '/v1/calendar/earnings?date=today',
    `/v1/earnings?symbol=${symbol}`,
    '/v1/market-status',
  ];
  for (let n = 0; n < REQUESTS; n++) await service.get(paths[n % paths.length] ?? '', demoKey);
  await service.get('/v1/calendar/earnings?date=never', demoKey);
}

async function shoot({ page, go }: Visitor, pattern: string, look: string): Promise<void> {
  const file = `${pattern.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '') || 'overview'}.png`;
  if (!file.includes(wanted)) return;
  const isOfAccount = !/^\/(operator|security|welcome|sign|set-up|invitation|password)/.test(
    pattern,
  );
  const path = filled(pattern, house.values);
  await go(isOfAccount ? `${path}?customer=${house.customerId}` : path);
  await page.waitForTimeout(STILL_MS);
  await settled(page);
  const { width, tall } = await page.evaluate(() => ({
    width: window.innerWidth,
    tall: document.documentElement.scrollHeight,
  }));
  const height = Math.min(tall, HEIGHT_MAX);
  await page.screenshot({
    path: join(OUT, look, file),
    fullPage: true,
    clip: { x: 0, y: 0, width, height },
    animations: 'disabled',
  });
  console.error(`${look}/${file}`);
}
