import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { openFurnished } from '../support/furnished-stage.ts';
import { filled, screens } from '../support/screens.ts';
import { settled, type Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

// Usage: `npm run screenshots -- [NAME_PATTERN] [LOOK]` writes to docs/screenshots. For example,
// `-- usage` takes only screenshots with a matching name, and `-- '' phone` takes all screenshots
// in one look.

const OUT = fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
/** All pages in light mode, and the pages that differ most in the other looks. */
const LOOKS = [
  { name: 'light', options: { scheme: 'light', width: 1280 }, of: /./ },
  {
    name: 'dark',
    options: { scheme: 'dark', width: 1280 },
    of: /^(overview|calendar|symbols-symbol|deliveries-deliveryId|usage|operator|operator-market)\./,
  },
  {
    name: 'phone',
    options: { scheme: 'light', width: 390 },
    of: /^(overview|calendar|symbols-symbol|webhooks-endpointId|usage|requests|sign-in|operator|operator-runs|operator-market)\./,
  },
] as const;
/** The number of requests to send to fill the usage charts. */
const REQUESTS = 60;
/** The maximum height of a screenshot. Longer pages are cropped. */
const HEIGHT_MAX = 1_400;
/** Time to wait for charts to render and for the simulated market's webhooks to be sent. */
const STILL_MS = 900;

/** The image quality. It keeps text sharp at about half the size of a PNG file. */
const QUALITY = 0.9;

const wanted = new RegExp(process.argv[2] ?? '');
const wantedLook = process.argv[3] ?? '';
const clock = systemClock();
const startMs = clock.monotonicMs();
const furnished = await openFurnished({ SANDBOX_SYMBOLS: '560', NOW: IN_SESSION });
try {
  await use();
  for (const { name, options, of } of LOOKS.filter((look) => look.name.includes(wantedLook))) {
    mkdirSync(join(OUT, name), { recursive: true });
    const visitor = await furnished.stage.visit(options);
    await visitor.context.addCookies(await furnished.operator.context.cookies());
    // The browser's clock starts at NOW. Advances it to the service's clock.
    await visitor.context.clock.fastForward(clock.monotonicMs() - startMs);
    for (const pattern of screens().inside) await shoot(visitor, pattern, { name, of });
    const stranger = await furnished.stage.visit(options);
    for (const pattern of screens().door) await shoot(stranger, pattern, { name, of });
  }
} finally {
  await furnished.close();
}

/** Sends requests to fill the usage charts and the request log. */
async function use(): Promise<void> {
  const { service, demoKey } = furnished.stage;
  const symbol = furnished.values['symbol'] ?? '';
  const paths = [
    '/v1/calendar/earnings?date=today',
    `/v1/earnings?symbol=${symbol}`,
    '/v1/market-status',
  ];
  for (let n = 0; n < REQUESTS; n++) await service.get(paths[n % paths.length] ?? '', demoKey);
  await service.get('/v1/calendar/earnings?date=never', demoKey);
}

async function shoot(
  { page, go }: Visitor,
  pattern: string,
  look: { name: string; of: RegExp },
): Promise<void> {
  const file = `${pattern.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '') || 'overview'}.webp`;
  if (!wanted.test(file) || !look.of.test(file)) return;
  const isOfAccount = !/^\/(operator|security|welcome|sign|set-up|invitation|password)/.test(
    pattern,
  );
  const path = filled(pattern, furnished.values);
  await go(isOfAccount ? `${path}?customer=${furnished.customerId}` : path);
  await page.waitForTimeout(STILL_MS);
  await settled(page);
  const { width, tall } = await page.evaluate(() => ({
    width: window.innerWidth,
    tall: document.documentElement.scrollHeight,
  }));
  const height = Math.min(tall, HEIGHT_MAX);
  const picture = await page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height },
    animations: 'disabled',
  });
  writeFileSync(join(OUT, look.name, file), await toWebp(picture));
  console.error(`${look.name}/${file}`);
}

/** Converts an image to WebP in the browser, so that no other tool is needed. */
async function toWebp(png: Buffer): Promise<Buffer> {
  const desk = await furnished.stage.browser.newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const url = await desk.evaluate(
    async ([src, quality]) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    [source, QUALITY] as const,
  );
  await desk.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
