import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { calmSymbols } from '../support/calm-symbols.ts';
import {
  addEndpoint,
  openTab,
  postOf,
  reasonAt,
  sendTest,
  subscribe,
} from '../support/endpoints.ts';
import { type Hook, openHook, type Post } from '../support/hook.ts';
import { choose, focusIsIn, pressOn } from '../support/keyboard.ts';
import { callAs } from '../support/management.ts';
import { createOwner } from '../support/owner.ts';
import { openStage, settled, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Invalid URLs and their error messages. */
const BAD_URLS = [
  ['', 'Enter a URL.'],
  ['http://hooks.example.com/earnings', 'must start with https://'],
  ['https://10.0.0.1/earnings', 'must have a name, not an address'],
  ['https://printer.local/earnings', 'must have a public name'],
  ['https://me:secret@hooks.example.com/', 'must hold no user name or password'],
  ['https://hooks.example.com:8443/', 'must use port 443'],
  ['https://hooks.example.com/#top', 'must have no fragment'],
] as const;

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('webhooks', () => {
  let stage: Stage;
  let hook: Hook;
  let owner: Visitor;
  let log: Visitor;
  let secret: string;
  let symbols: string[];

  beforeAll(async () => {
    hook = await openHook();
    stage = await openStage(hook.env);
    owner = await createOwner(stage, 'Night Harbour');
    log = await owner.window();
    const companies = await callAs(owner, stage.service.url, 'symbols-search', {
      query: { search: 'c' },
    });
    symbols = calmSymbols(companies.map(({ symbol }) => symbol)).slice(0, 3);
  });
  afterAll(async () => {
    await stage.close();
    await hook.close();
  });

  test('rejects an invalid endpoint URL and shows the error at the field', async () => {
    const { page } = owner;
    await owner.go('/webhooks');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'New endpoint' });
    for (const [url, reason] of BAD_URLS) {
      await dialog.getByLabel('URL').fill(url);
      await dialog.getByRole('button', { name: 'Add endpoint' }).click();
      await expect.poll(() => reasonAt(page, 'URL')).toContain(reason);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await callAs(owner, stage.service.url, 'webhooks-list', {})).toEqual([]);
  });

  test('adds a webhook endpoint and shows its secret', async () => {
    const { page } = owner;
    secret = await addEndpoint(owner, { url: hook.url, name: 'Night desk' });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    await page
      .getByRole('row', { name: /Night desk/ })
      .getByText('no subscriptions')
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Add subscriptions' }).click();
    await page.getByText('No subscriptions yet', { exact: true }).waitFor();
  });

  test('previews whether pasted symbols are new, existing, unknown, repeated, or invalid', async () => {
    const { page } = owner;
    const [first = '', second = '', third = ''] = symbols;
    const pasted = `${first.toLowerCase()}, $${second};${first}\n"NOPEQZ"\t<b>x</b>`;
    await page.getByLabel('Symbols', { exact: true }).fill(pasted);
    await page.getByText('3 new', { exact: true }).waitFor();
    await page.getByText('0 already subscribed', { exact: true }).waitFor();
    await page.getByText('1 unknown', { exact: true }).waitFor();
    await page.getByText('1 invalid', { exact: true }).waitFor();
    await page.getByText('1 repeated', { exact: true }).waitFor();
    await page.getByText(/^Invalid symbols, skipped: .*<b>x<\/b>$/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await subscribe(owner, pasted);
    for (const symbol of [first, second, 'NOPEQZ']) {
      await page.getByRole('checkbox', { name: `${symbol}, earnings_schedule` }).waitFor();
    }

    await page.getByLabel('Symbols', { exact: true }).fill(`${second} ${third}`);
    await page.getByText('1 new', { exact: true }).waitFor();
    await page.getByText('1 already subscribed', { exact: true }).waitFor();
    await subscribe(owner, `${second} ${third}`);
    await page.getByRole('checkbox', { name: 'NOPEQZ, earnings_schedule' }).check();
    await page.getByRole('button', { name: 'Remove 1', exact: true }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'Subscriptions (3)' }).waitFor();
  });

  test("shows a test delivery's signed request and its response byte for byte", async () => {
    const { page } = owner;
    const [symbol = ''] = symbols;
    await log.go('/deliveries');
    await log.page.getByText('No deliveries yet', { exact: true }).waitFor();
    hook.answerWith({ status: 200, headers: ['X-Desk: night'], body: 'taken, thank you' });
    const dialog = await sendTest(owner, symbol);
    await dialog.getByText('HTTP 200', { exact: true }).waitFor();
    const post = await postOf(hook, dialog);
    const verified = await verifyWebhook(post.body, post.headers, secret);
    expect(verified).toMatchObject({ ok: true });

    await dialog.getByRole('button', { name: 'Signed request' }).click();
    const headers = dialog.getByRole('region', { name: 'request headers' });
    await headers.getByText(post.headers.get('X-Service-Signature') ?? 'none').waitFor();
    await dialog.getByText('Raw', { exact: true }).click();
    const shown = dialog.getByLabel('request body', { exact: true });
    expect(await shown.textContent()).toBe(post.body.toString('utf8'));
    expect(await headers.innerText()).toContain(`POST ${hook.url}`);
    const answer = dialog.getByRole('region', { name: 'response headers' });
    expect(await answer.innerText()).toMatch(/x-desk: night/i);
    const body = dialog.getByLabel('response body', { exact: true });
    expect(await body.textContent()).toBe('taken, thank you');
    expect(await accessibilityViolations(page)).toEqual([]);

    // The log in the second window was empty before, and it isn't reloaded.
    const { id } = JSON.parse(post.body.toString('utf8')) as { id: string };
    const row = log.page.getByRole('row', { name: new RegExp(`${symbol}, delivery ${id}`) });
    await row.getByText('delivered', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('explains why a delivery failed, and delivers it when redelivered', async () => {
    const { page } = owner;
    const [symbol = ''] = symbols;
    hook.answerWith({ status: 500, body: 'out of paper' });
    const dialog = await sendTest(owner, symbol);
    await dialog.getByText('failed', { exact: true }).waitFor();
    await dialog.getByRole('link', { name: 'View delivery' }).click();
    await page.getByRole('heading', { level: 1, name: `${symbol} (test)` }).waitFor();
    await page.getByText('500 server error', { exact: true }).waitFor();
    await page.getByText(/The endpoint responded with a 5xx status/).waitFor();
    await page.getByText(/Check your server’s logs/).waitFor();
    const body = page.getByLabel('response body', { exact: true });
    expect(await body.textContent()).toBe('out of paper');
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);

    hook.answerWith({ status: 204 });
    const failed = hook.posts().at(-1);
    await sendAgain(owner);
    await page.getByText('The endpoint responded with 2xx.', { exact: true }).waitFor();
    const [redelivered, original] = [hook.posts().at(-1), failed].map(readPost);
    expect(redelivered?.id).not.toBe(original?.id);
    expect(redelivered?.data).toEqual(original?.data);
    await page.getByRole('link', { name: original?.id ?? 'none', exact: true }).waitFor();
  });

  test('changes the simulated market, which sends a delivery that is no test', async () => {
    const { page } = owner;
    const [symbol = ''] = symbols;
    await page.getByRole('link', { name: 'Night desk' }).click();
    await page.getByRole('button', { name: 'Change data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change simulated data' });
    await dialog.getByLabel('Company').fill(symbol);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await dialog.getByText(`${symbol} changed`, { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await expect
      .poll(() =>
        hook
          .posts()
          .map(({ headers, body }) => [headers.get('X-Service-Test'), readPost({ headers, body })]),
      )
      .toContainEqual([null, expect.objectContaining({ context: { symbol } })]);
    await page.goBack();
  });

  test('pauses deliveries while an endpoint is disabled and sends them once it is enabled', async () => {
    const { page } = owner;
    const count = hook.posts().length;
    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Disable Night desk?' });
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText(/Deliveries are paused, one per company/).waitFor();
    await openTab(owner, 'Overview');
    await page.getByText(/This endpoint was disabled manually/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);

    await page
      .getByRole('link', { name: new RegExp(`^${symbols[0]}, delivery`) })
      .first()
      .click();
    await sendAgain(owner);
    await page
      .getByText(/The endpoint is disabled\. Paused deliveries are sent with current data/)
      .waitFor();
    expect(hook.posts().length).toBe(count);

    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await expect.poll(() => hook.posts().length).toBe(count + 1);
    await openTab(owner, 'Overview');
    await page.getByText('paused', { exact: true }).waitFor({ state: 'detached' });
  });

  test('recovers missed deliveries by keyboard', async () => {
    const { page } = owner;
    hook.answerWith({ status: 503, headers: ['Retry-After: 3600'] });
    await settled(page);
    await pressOn(page, new RegExp(`link "${symbols[0]}, delivery`));
    await page.getByRole('button', { name: 'Redeliver' }).waitFor();
    const previousUrl = page.url();
    await pressOn(page, /button "Redeliver"/);
    await focusIsIn(page, `Redeliver ${symbols[0]}?`);
    await pressOn(page, /button "Redeliver"/);
    await page.waitForURL((url) => url.href !== previousUrl);
    await page.getByText('retrying', { exact: true }).first().waitFor();
    await page.getByText('503 server error', { exact: true }).waitFor();
    const missed = readPost(hook.posts().at(-1));

    hook.answerWith({ status: 200 });
    await pressOn(page, /link "Night desk"/);
    await page.getByRole('button', { name: 'Recover…' }).waitFor();
    await pressOn(page, /button "Recover…"/);
    await focusIsIn(page, 'Recover missed deliveries');
    const dialog = page.getByRole('dialog', { name: 'Recover missed deliveries' });
    await choose(page, /"Period"/, /Last hour/);
    await pressOn(page, /button "Recover"/);
    await dialog.getByText('1 delivery created', { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await pressOn(page, /link "View deliveries"/);
    const rows = page.getByRole('row', { name: new RegExp(`${symbols[0]}, delivery`) });
    await rows.first().getByText('delivered', { exact: true }).waitFor();
    const recovered = readPost(hook.posts().at(-1));
    expect(recovered.id).not.toBe(missed.id);
    await page.getByRole('link', { name: `${symbols[0]}, delivery ${missed.id}` }).click();
    await page.getByText(/A newer delivery contains the changes/).waitFor();
    await page.getByRole('link', { name: recovered.id, exact: true }).waitFor();
  });

  test('keeps the delivery log filters in the URL when the page is reloaded', async () => {
    const { page } = owner;
    await owner.go('/deliveries');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'failed', exact: true }).click();
    await shows(page, 'Status', 'failed');
    await page.getByRole('combobox', { name: 'Tests' }).click();
    await page.getByRole('option', { name: 'Tests only' }).click();
    await shows(page, 'Tests', 'Tests only');
    await page.getByLabel('Company').fill(symbols[0]?.toLowerCase() ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL(/symbol=/);
    const { search } = new URL(page.url());
    const filters = Object.fromEntries(new URLSearchParams(search));
    expect(filters).toMatchObject({ state: 'failed', test: 'true' });

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await settled(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(filters);
    await shows(page, 'Status', 'failed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters', exact: true }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(4);
    expect(new URL(page.url()).search).toBe('');
  });

  test('deletes a webhook endpoint but keeps its delivery log', async () => {
    const { page } = owner;
    await owner.go('/webhooks');
    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Night desk?' });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No endpoints yet', { exact: true }).waitFor();
    expect(await callAs(owner, stage.service.url, 'webhooks-list', {})).toEqual([]);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page
      .getByRole('row', { name: /deleted/ })
      .first()
      .waitFor();
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});

/** Waits until the filter shows the choice, which happens after the URL has changed. */
async function shows(page: Page, filter: string, choice: string): Promise<void> {
  const field = page.getByRole('combobox', { name: filter });
  await expect.poll(() => field.inputValue()).toBe(choice);
}

/** Redelivers from the delivery page and waits for the new delivery. */
async function sendAgain({ page }: Visitor): Promise<void> {
  const previousUrl = page.url();
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
  await page.waitForURL((url) => url.href !== previousUrl);
}

function readPost(post: Post | undefined): { id: string; data: unknown } {
  return JSON.parse(post?.body.toString('utf8') ?? 'null') as { id: string; data: unknown };
}
