import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { hindrances } from '../support/accessibility.ts';
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
import { bringOwner } from '../support/owner.ts';
import { openStage, settled, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** What is wrong with a URL, and what the form says of it. */
const BAD_URLS = [
  ['', 'Where shall it be told?'],
  ['http://hooks.example.com/earnings', 'must start with https://'],
  ['https://10.0.0.1/earnings', 'must have a name, not an address'],
  ['https://printer.local/earnings', 'must have a public name'],
  ['https://me:secret@hooks.example.com/', 'must hold no user name or password'],
  ['https://hooks.example.com:8443/', 'must use port 443'],
  ['https://hooks.example.com/#top', 'must have no fragment'],
] as const;

/** One journey: each part begins where the one before it ended. */
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
    owner = await bringOwner(stage, 'Night Harbour');
    log = await owner.window();
    const found = await callAs(owner, stage.service.url, 'symbols-search', {
      query: { search: 'a' },
    });
    symbols = calmSymbols(found.map(({ symbol }) => symbol)).slice(0, 3);
  });
  afterAll(async () => {
    await stage.close();
    await hook.close();
  });

  test('a URL that will not do is refused at its field, with the reason', async () => {
    const { page } = owner;
    await owner.go('/webhooks');
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'New endpoint' });
    for (const [url, reason] of BAD_URLS) {
      await dialog.getByLabel('URL').fill(url);
      await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
      await expect.poll(() => reasonAt(page, 'URL')).toContain(reason);
    }
    expect(await hindrances(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await callAs(owner, stage.service.url, 'webhooks-list', {})).toEqual([]);
  });

  test('a good one is added, and its secret shown; it is told of nothing yet', async () => {
    const { page } = owner;
    secret = await addEndpoint(owner, { url: hook.url, name: 'Night desk' });
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    await page
      .getByRole('row', { name: /Night desk/ })
      .getByText('told of nothing')
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('link', { name: 'Choose companies' }).click();
    await page.getByText('It is told of nothing', { exact: true }).waitFor();
  });

  test('of pasted symbols it says what is new, known already, unknown and none at all', async () => {
    const { page } = owner;
    const [first = '', second = '', third = ''] = symbols;
    const pasted = `${first.toLowerCase()}, $${second};${first}\n"NOPEQZ"\t<b>x</b>`;
    await page.getByLabel('Symbols', { exact: true }).fill(pasted);
    await page.getByText('3 new', { exact: true }).waitFor();
    await page.getByText('0 already subscribed', { exact: true }).waitFor();
    await page.getByText('1 not known', { exact: true }).waitFor();
    await page.getByText('1 left out', { exact: true }).waitFor();
    await page.getByText('1 repeated', { exact: true }).waitFor();
    await page.getByText(/^These can be no ticker symbols.*<b>x<\/b>\.$/).waitFor();
    expect(await hindrances(page)).toEqual([]);
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
    await page.getByRole('heading', { name: 'Subscriptions, 3' }).waitFor();
  });

  test('a test arrives signed, and is shown as it was sent and answered, byte for byte', async () => {
    const { page } = owner;
    const [symbol = ''] = symbols;
    await log.go('/deliveries');
    await log.page.getByText('Nothing was sent yet', { exact: true }).waitFor();
    hook.answerWith({ status: 200, headers: ['X-Desk: night'], body: 'taken, thank you' });
    const dialog = await sendTest(owner, symbol);
    await dialog.getByText('answered 200', { exact: true }).waitFor();
    const post = await postOf(hook, dialog);
    const verified = await verifyWebhook(post.body, post.headers, secret);
    expect(verified).toMatchObject({ ok: true });

    await dialog.getByRole('button', { name: 'The request, as sent and signed' }).click();
    const headers = dialog.getByRole('region', { name: 'Headers of the request' });
    await headers.getByText(post.headers.get('X-Service-Signature') ?? 'none').waitFor();
    await dialog.getByText('Raw', { exact: true }).click();
    const shown = dialog.getByLabel('the body of the request', { exact: true });
    expect(await shown.textContent()).toBe(post.body.toString('utf8'));
    expect(await headers.innerText()).toContain(`POST ${hook.url}`);
    const answer = dialog.getByRole('region', { name: 'Headers of the answer' });
    expect(await answer.innerText()).toMatch(/x-desk: night/i);
    const body = dialog.getByLabel('the body of the answer', { exact: true });
    expect(await body.textContent()).toBe('taken, thank you');
    expect(await hindrances(page)).toEqual([]);

    // The log that another page shows had nothing, and is not reloaded.
    const { id } = JSON.parse(post.body.toString('utf8')) as { id: string };
    const row = log.page.getByRole('row', { name: new RegExp(`${symbol}, delivery ${id}`) });
    await row.getByText('delivered', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('what a receiver refused is told in words, and delivered when it is sent again', async () => {
    const { page } = owner;
    const [symbol = ''] = symbols;
    hook.answerWith({ status: 500, body: 'out of paper' });
    const dialog = await sendTest(owner, symbol);
    await dialog.getByText('failed', { exact: true }).waitFor();
    await dialog.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByRole('heading', { level: 1, name: `${symbol}, a test` }).waitFor();
    await page.getByText('500 receiver failed', { exact: true }).waitFor();
    await page.getByText(/The receiver answered 5xx: something broke in it/).waitFor();
    await page.getByText(/Look into the log of the receiver/).waitFor();
    const body = page.getByLabel('the body of the answer', { exact: true });
    expect(await body.textContent()).toBe('out of paper');
    await settled(page);
    expect(await hindrances(page)).toEqual([]);

    hook.answerWith({ status: 204 });
    const failed = hook.posts().at(-1);
    await sendAgain(owner);
    await page.getByText('The receiver answered 2xx.', { exact: true }).waitFor();
    const [again, before] = [hook.posts().at(-1), failed].map(readPost);
    expect(again?.id).not.toBe(before?.id);
    expect(again?.data).toEqual(before?.data);
    await page.getByRole('link', { name: before?.id ?? 'none', exact: true }).waitFor();
  });

  test('while it is disabled what comes is held, and goes out when it is enabled', async () => {
    const { page } = owner;
    const count = hook.posts().length;
    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Disable Night desk?' });
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText(/Deliveries are held, one a company/).waitFor();
    await openTab(owner, 'Overview');
    await page.getByText(/It was disabled by hand/).waitFor();
    expect(await hindrances(page)).toEqual([]);

    await page
      .getByRole('link', { name: new RegExp(`^${symbols[0]}, delivery`) })
      .first()
      .click();
    await sendAgain(owner);
    await page.getByText(/The endpoint is disabled\. It goes out with the data/).waitFor();
    expect(hook.posts().length).toBe(count);

    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await expect.poll(() => hook.posts().length).toBe(count + 1);
    await openTab(owner, 'Overview');
    await page.getByText('held', { exact: true }).waitFor({ state: 'detached' });
  });

  test('without a mouse what was missed is recovered: the newer tells what the older could not', async () => {
    const { page } = owner;
    hook.answerWith({ status: 503, headers: ['Retry-After: 3600'] });
    await settled(page);
    await pressOn(page, new RegExp(`link "${symbols[0]}, delivery`));
    await page.getByRole('button', { name: 'Redeliver' }).waitFor();
    const before = page.url();
    await pressOn(page, /button "Redeliver"/);
    await focusIsIn(page, `Send ${symbols[0]} again?`);
    await pressOn(page, /button "Send again"/);
    await page.waitForURL((url) => url.href !== before);
    await page.getByText('will be tried again', { exact: true }).first().waitFor();
    await page.getByText('503 receiver failed', { exact: true }).waitFor();
    const missed = readPost(hook.posts().at(-1));

    hook.answerWith({ status: 200 });
    await pressOn(page, /link "Night desk"/);
    await page.getByRole('button', { name: 'Recover…' }).waitFor();
    await pressOn(page, /button "Recover…"/);
    await focusIsIn(page, 'Recover what was missed');
    const dialog = page.getByRole('dialog', { name: 'Recover what was missed' });
    await choose(page, /"It was away"/, /For the last hour/);
    await pressOn(page, /button "Recover"/);
    await dialog.getByText('1 opened', { exact: true }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await pressOn(page, /link "Watch them go out"/);
    const rows = page.getByRole('row', { name: new RegExp(`${symbols[0]}, delivery`) });
    await rows.first().getByText('delivered', { exact: true }).waitFor();
    const recovered = readPost(hook.posts().at(-1));
    expect(recovered.id).not.toBe(missed.id);
    await page.getByRole('link', { name: `${symbols[0]}, delivery ${missed.id}` }).click();
    await page.getByText(/A newer delivery tells them/).waitFor();
    await page.getByRole('link', { name: recovered.id, exact: true }).waitFor();
  });

  test('the filters of the log are in its address, and hold after a reload', async () => {
    const { page } = owner;
    await owner.go('/deliveries');
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'failed', exact: true }).click();
    await shows(page, 'State', 'failed');
    await page.getByRole('combobox', { name: 'Tests' }).click();
    await page.getByRole('option', { name: 'Tests alone' }).click();
    await shows(page, 'Tests', 'Tests alone');
    await page.getByLabel('Company').fill(symbols[0]?.toLowerCase() ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL(/symbol=/);
    const { search } = new URL(page.url());
    const asked = Object.fromEntries(new URLSearchParams(search));
    expect(asked).toMatchObject({ state: 'failed', test: 'true' });

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await settled(page);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(asked);
    await shows(page, 'State', 'failed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(4);
    expect(new URL(page.url()).search).toBe('');
  });

  test('an endpoint that is deleted is gone, and its log stays', async () => {
    const { page } = owner;
    await owner.go('/webhooks');
    await page.getByRole('link', { name: 'Night desk' }).click();
    await openTab(owner, 'Settings');
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Night desk?' });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No endpoint yet', { exact: true }).waitFor();
    expect(await callAs(owner, stage.service.url, 'webhooks-list', {})).toEqual([]);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page
      .getByRole('row', { name: /taken out/ })
      .first()
      .waitFor();
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });
});

/** A filter shows what was chosen once the address holds it. */
async function shows(page: Page, filter: string, choice: string): Promise<void> {
  const field = page.getByRole('combobox', { name: filter });
  await expect.poll(() => field.inputValue()).toBe(choice);
}

/** On the screen of a delivery: opens a new one like it, and waits until that is shown. */
async function sendAgain({ page }: Visitor): Promise<void> {
  const before = page.url();
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.waitForURL((url) => url.href !== before);
}

function readPost(post: Post | undefined): { id: string; data: unknown } {
  return JSON.parse(post?.body.toString('utf8') ?? 'null') as { id: string; data: unknown };
}
