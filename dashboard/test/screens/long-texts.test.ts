import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnished-stage.ts';
import { callAs } from '../support/management.ts';
import { filled } from '../support/screens.ts';

/** Names, email addresses, and URLs that have the maximum length and no break opportunities. */
const NAME = 'Harbour'.repeat(17);
const EMAIL = `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com`;
const URL_PATH = 'long'.repeat(450);

const ACCOUNT = ['/', '/keys', '/team', '/audit', '/webhooks', '/webhooks/$endpointId', '/usage'];
const SERVICE = [
  '/welcome',
  '/operator',
  '/operator/audit',
  '/operator/customers',
  '/operator/customers/$customerId',
  '/operator/deliveries',
  '/operator/market',
  '/operator/operators',
];

describe.skipIf(hasNoBrowser)('texts of maximum length', () => {
  let furnished: Furnished;
  let values: Record<string, string>;

  beforeAll(async () => {
    furnished = await openFurnished();
    const { operator, stage } = furnished;
    const origin = stage.service.url;
    const { id: customerId } = await callAs(operator, origin, 'customers-create', {
      body: { name: NAME, plan: 'free' },
    });
    const url = `https://${'a'.repeat(60)}.example.com/${URL_PATH}`;
    const [unnamed] = await Promise.all(
      ['', NAME].map((description) =>
        callAs(operator, origin, 'webhooks-create', { body: { url, description } }, customerId),
      ),
    );
    const endpointId = unnamed?.id ?? 'none';
    const change = { path: { endpointId }, body: { enabled: false } };
    await callAs(operator, origin, 'webhooks-update', change, customerId);
    await callAs(
      operator,
      origin,
      'keys-create',
      { body: { name: NAME.slice(0, 100) } },
      customerId,
    );
    const invited = { body: { email: EMAIL, role: 'owner' as const } };
    await callAs(operator, origin, 'people-invite', invited, customerId);
    await callAs(operator, origin, 'operators-invite', { body: { email: EMAIL } });
    await callAs(operator, origin, 'market-overrides-create', {
      body: { date: '2030-11-25', kind: 'closed', reason: NAME, note: NAME },
    });
    values = { customerId, endpointId };
  });
  afterAll(() => furnished.close());

  test.each([...ACCOUNT, ...SERVICE])(
    'shows texts of maximum length without overflow on %s',
    async (pattern) => {
      const { page, go } = furnished.operator;
      const path = filled(pattern, values);
      await go(ACCOUNT.includes(pattern) ? `${path}?customer=${values['customerId']}` : path);
      // Until the names have loaded, the page shows customer IDs, which are longer.
      await expect.poll(tooWide).toEqual([]);
      for (const width of [1024, 768, 390]) {
        await page.setViewportSize({ width, height: 860 });
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBe(width);
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );

  test('wraps relative times on a phone', async () => {
    const { operator, stage, customerId } = furnished;
    const { page, go } = operator;
    // Calculated from the delivery's time, because earlier tests may take minutes.
    const path = { deliveryId: furnished.values['deliveryId'] ?? 'none' };
    const origin = stage.service.url;
    const { createdAt } = await callAs(operator, origin, 'deliveries-read', { path }, customerId);
    await page.clock.setFixedTime(Date.parse(createdAt) + 58 * 60_000);
    await page.setViewportSize({ width: 390, height: 860 });
    await go(
      `${filled('/webhooks/$endpointId', furnished.values)}?customer=${furnished.customerId}`,
    );
    await page.getByText('58 minutes ago').first().waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(390);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.clock.setFixedTime(Date.now());
  });

  test('shows past times as past when the viewer’s clock is behind', async () => {
    const { page, go } = furnished.operator;
    await page.clock.setFixedTime(Date.now() - 4 * 60_000);
    await go(
      `${filled('/webhooks/$endpointId', furnished.values)}?customer=${furnished.customerId}`,
    );
    await page.getByText(/ ago$/).first().waitFor();
    expect(await page.getByText(/\bin \d+ (second|minute)s?\b/).count()).toBe(0);
    await page.clock.setFixedTime(Date.now());
  });

  test('shortens the URL of an unnamed endpoint, and shows the full URL only in its field', async () => {
    const { page, go } = furnished.operator;
    await go(`/webhooks/${values['endpointId']}?tab=settings&customer=${values['customerId']}`);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    expect(heading).toMatch(/^a{60}….{19}$/);
    expect(await page.getByLabel('URL').inputValue()).toContain(URL_PATH);
    const lead = page.getByTitle(URL_PATH);
    expect((await lead.boundingBox())?.height).toBeLessThan(60);
  });

  /** Returns the elements that overflow: the page, a table, or an alert. */
  function tooWide(): Promise<string[]> {
    return furnished.operator.page.evaluate(() => {
      const wide = (element: Element): boolean => element.scrollWidth > element.clientWidth + 1;
      const elements = document.querySelectorAll(
        'html, main section[tabindex="0"], [role="alert"]',
      );
      return [...elements]
        .filter(wide)
        .map((element) => element.ariaLabel ?? element.outerHTML.slice(0, 120));
    });
  }
});
