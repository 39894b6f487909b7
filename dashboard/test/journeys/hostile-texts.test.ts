import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  calendarUrl,
  envelope,
  upcomingRow,
} from '../../../service/test/support/write-recording.ts';
import { type StubSource, startStubSource } from '../../../service/test/support/stub-source.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { table, replay } from '../support/replay.ts';
import { IN_SESSION } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const SCRIPT = '<script>alert(1)</script>';
const IMAGE = '"><img src=x onerror=alert(2)>';
const FORMULA = '=HYPERLINK("https://pay.example","Pay")';
const LINK = 'javascript:alert(3)';
/**
 * Text that survives tag stripping in source data, because it contains an unclosed or
 * double-escaped tag.
 */
const OPEN_TAG = '"><img src=x onerror=alert(4) ';
const TWICE = '&amp;amp;lt;svg onload=alert(5)&amp;amp;gt;';
const TWICE_SHOWN = '&lt;svg onload=alert(5)&gt;';

const COMPANIES = [
  { symbol: 'MARK', name: `${OPEN_TAG}Tools` },
  { symbol: 'FORM', name: FORMULA },
  { symbol: 'TWIC', name: TWICE },
  { symbol: 'LINK', name: LINK },
];
const SHOWN = [`${OPEN_TAG}Tools`, FORMULA, TWICE_SHOWN, LINK];
const DAY = '2026-11-19';

/** The data is ingested once and then checked on every page. */
describe.skipIf(hasNoBrowser)('hostile text', () => {
  let source: StubSource;
  let stage: Stage;
  let operator: Visitor;
  let customerId: string;
  let endpointId: string;
  const dialogs: string[] = [];

  beforeAll(async () => {
    source = await startStubSource(() => []);
    stage = await openStage({ ...source.env, NOW: IN_SESSION });
    operator = await stage.visit();
    operator.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await setUp(stage, operator);
    await replay(stage, [
      {
        path: 'calendar',
        url: calendarUrl(DAY),
        body: envelope(COMPANIES.map(({ symbol, name }) => upcomingRow(symbol, { name }))),
      },
      table('2026-economic-events', [
        ['eventName', 'country', 'date', 'time', 'previous', 'sourceUrl'],
        [`${OPEN_TAG}prices`, 'United States', DAY, '08:30', '0.4%', 'https://bls.example/a'],
        [FORMULA, 'United States', DAY, '10:00', '0.2%', 'https://bls.example/b'],
        [`${OPEN_TAG}jobs`, 'United States', DAY, '11:00', '1.0%', LINK],
      ]),
      table('2026-ipos', [
        ['companyName', 'status', 'expectedDate', 'dealKey', 'underwriters', 'filingUrl'],
        [`${OPEN_TAG}Harbor`, 'expected', DAY, 'one', `${FORMULA};${LINK}`, ''],
        [FORMULA, 'expected', DAY, 'two', 'A Bank', ''],
      ]),
      table('2026-dividends', [
        ['symbol', 'name', 'exDate', 'amount'],
        ['MARK', `${OPEN_TAG}Tools`, DAY, '0.25'],
        ['FORM', FORMULA, DAY, '0.30'],
      ]),
    ]);
    const { url } = stage.service;
    const named = await callAs(operator, url, 'customers-create', {
      body: { name: `${SCRIPT}${IMAGE}`, plan: 'pro' },
    });
    customerId = named.id;
    await callAs(operator, url, 'customers-create', { body: { name: FORMULA, plan: 'pro' } });
    for (const name of [SCRIPT, IMAGE, FORMULA, LINK]) {
      await callAs(operator, url, 'keys-create', { body: { name } }, customerId);
    }
    const endpoint = await callAs(
      operator,
      url,
      'webhooks-create' as const,
      { body: { url: 'https://hooks.example.com/a', description: `${IMAGE}${SCRIPT}` } },
      customerId,
    );
    endpointId = endpoint.id;
    await callAs(operator, url, 'market-overrides-create', {
      body: { date: '2026-11-25', kind: 'closed', reason: IMAGE, note: SCRIPT },
    });
  });
  afterAll(async () => {
    await stage.close();
    await source.close();
  });

  test.each([
    ['the earnings week', () => `/calendar?date=${DAY}`, []],
    ['the day list', () => `/calendar?date=${DAY}&day=${DAY}`, SHOWN],
    [
      'the economic calendar',
      () => `/calendar?calendar=economic&date=${DAY}`,
      [`${OPEN_TAG}prices`, FORMULA],
    ],
    ['upcoming IPOs', () => '/calendar?calendar=ipos', [`${OPEN_TAG}Harbor`, FORMULA]],
    ['dividends', () => `/calendar?calendar=dividends&date=${DAY}`, [FORMULA]],
    ['company search', () => '/symbols', []],
    ['a company', () => '/symbols/MARK', [`${OPEN_TAG}Tools`]],
    ['a company with a formula', () => '/symbols/FORM', [FORMULA]],
    ['keys', () => '/keys', [SCRIPT, IMAGE, FORMULA, LINK]],
    ['usage', () => '/usage', []],
    ['requests', () => '/requests', []],
    ['endpoints', () => '/webhooks', [`${IMAGE}${SCRIPT}`]],
    ['an endpoint', () => `/webhooks/${endpointId}`, [`${IMAGE}${SCRIPT}`]],
    ['the account audit log', () => '/audit', [SCRIPT, IMAGE, FORMULA]],
    ['the account overview', () => '/', [`${SCRIPT}${IMAGE}`]],
  ])('shows hostile text verbatim on %s', async (_name, address, texts) => {
    const path = address();
    const customer = `${path.includes('?') ? '&' : '?'}customer=${customerId}`;
    await isInert(`${path}${customer}`, texts);
  });

  test.each([
    ['the operator’s overview', () => '/operator', []],
    ['customers', () => '/operator/customers', [`${SCRIPT}${IMAGE}`, FORMULA]],
    [
      'a customer',
      () => `/operator/customers/${customerId}`,
      [`${SCRIPT}${IMAGE}`, SCRIPT, IMAGE, FORMULA],
    ],
    ['the market calendar', () => '/operator/market', [IMAGE, SCRIPT]],
    ['the data explorer', () => '/operator/facts?dataset=earnings', []],
    ['economic events in the explorer', () => '/operator/facts?dataset=economic-events', [FORMULA]],
    ['the quarantine', () => '/operator/quarantine', [LINK]],
    ['runs', () => '/operator/runs', []],
    ['the service audit log', () => '/operator/audit', [`${SCRIPT}${IMAGE}`, FORMULA]],
    ['deliveries', () => '/operator/deliveries', []],
  ])('shows hostile text verbatim on %s', async (_name, address, texts) => {
    await isInert(address(), texts);
  });

  test('shows hostile text verbatim on the page for a fact', async () => {
    const { facts } = await callAs(operator, stage.service.url, 'facts-list', {
      path: { dataset: 'earnings' },
      query: { symbol: 'MARK' },
    });
    await isInert(`/operator/facts/earnings/${facts[0]?.id ?? 'none'}`, [`${OPEN_TAG}Tools`]);
  });

  test('exports hostile text to CSV without creating a formula', async () => {
    const { page, go } = operator;
    await go(`/calendar?date=${DAY}&customer=${customerId}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain(`"'=HYPERLINK(""https://pay.example"",""Pay"")"`);
    expect(text).toContain('javascript:alert(3)');
    expect(text).not.toMatch(/(^|,)"?[=@+]/m);
  });

  test('opens no dialogs and finishes without browser errors', () => {
    expect(dialogs).toEqual([]);
    expect(stage.problems()).toEqual([]);
  });

  /**
   * Opens a page and checks that it shows the texts verbatim and that no elements were created from
   * them.
   */
  async function isInert(address: string, texts: readonly string[]): Promise<void> {
    const { page, go } = operator;
    await go(address);
    await settled(page);
    for (const text of texts) await page.getByText(text.trim()).first().waitFor();
    expect(await injectedElements(page)).toEqual([]);
  }
});

/** Returns elements that exist only if a text was interpreted as markup. */
function injectedElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    const isInjected = (element: Element): boolean =>
      (element instanceof HTMLScriptElement && element.text !== '') ||
      element.getAttribute('src') === 'x' ||
      element.getAttributeNames().some((name) => name.startsWith('on')) ||
      /^\s*javascript:/i.test(element.getAttribute('href') ?? '');
    return elements.filter(isInjected).map((element) => element.outerHTML.slice(0, 200));
  });
}
