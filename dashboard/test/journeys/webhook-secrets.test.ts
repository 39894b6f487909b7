import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../sdk/src/index.ts';
import { sign } from '../../../service/src/webhooks/message/signature.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { addEndpoint, openTab, postOf, reasonAt, sendTest } from '../support/endpoints.ts';
import { focused, tabTo } from '../support/focus.ts';
import { type Hook, openHook, type Post } from '../support/hook.ts';
import { focusIsIn, pressOn, skipToScreen, typeHere, typeOver } from '../support/keyboard.ts';
import { callAs } from '../support/management.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { openStage, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const HOUR_MS = 3_600_000;
const clock = systemClock();

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('webhook secrets', () => {
  let stage: Stage;
  let hook: Hook;
  let owner: Owner;
  let first: string;
  let second: string;
  let endpointId: string;
  let symbols: string[];

  beforeAll(async () => {
    hook = await openHook();
    stage = await openStage(hook.env);
    owner = await createOwner(stage, 'Night Harbour');
    const origin = stage.service.url;
    const companies = await callAs(owner, origin, 'symbols-search', { query: { search: 'c' } });
    symbols = companies.map(({ symbol }) => symbol);
    await owner.go('/webhooks');
    first = await addEndpoint(owner, { url: hook.url, name: 'Night desk' });
    [{ id: endpointId } = { id: 'none' }] = await callAs(owner, origin, 'webhooks-list', {});
    await callAs(owner, origin, 'webhook-subscriptions-add', {
      path: { endpointId },
      body: { templateId: 'earnings_schedule', symbols },
    });
    await owner.page.getByRole('link', { name: 'Night desk' }).click();
  });
  afterAll(async () => {
    await stage.close();
    await hook.close();
  });

  /** Sends a test delivery and returns the POST that arrives. */
  async function nextPost(): Promise<Post> {
    const dialog = await sendTest(owner, symbols[0] ?? '');
    const post = await postOf(hook, dialog);
    await owner.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    return post;
  }

  test('identifies common mistakes in signatures', async () => {
    const { page } = owner;
    const { body, headers } = await nextPost();
    const timestamp = headers.get('X-Service-Timestamp') ?? '';
    const validSignature = headers.get('X-Service-Signature') ?? '';
    const text = body.toString('utf8');
    await openTab(owner, 'Verify');
    const form = page.getByRole('form', { name: 'Signature helper' });
    const status = form.getByRole('status');
    async function check(input: { signature: string; body?: string; secret?: string }) {
      await form.getByLabel('Raw body').fill(input.body ?? text);
      await form.getByLabel('X-Service-Timestamp').fill(timestamp);
      await form.getByLabel('X-Service-Signature').fill(input.signature);
      await form.getByRole('textbox', { name: 'Signing secret' }).fill(input.secret ?? first);
      await form.getByRole('button', { name: 'Check signature' }).click();
      return status;
    }

    await (
      await check({ signature: validSignature })
    )
      .getByText('Signature matches', { exact: true })
      .waitFor();
    const dotted = sign({ timestamp: `${timestamp}.`, body }, first);
    await (
      await check({ signature: dotted })
    )
      .getByText('Dot between timestamp and body', { exact: true })
      .waitFor();
    const reserialized = JSON.stringify(JSON.parse(text), null, 2);
    await (
      await check({ signature: validSignature, body: reserialized })
    )
      .getByText('Reserialized body', { exact: true })
      .waitFor();
    const bare = first.replace('whsec_', '');
    await (
      await check({ signature: validSignature, secret: bare })
    )
      .getByText('Incomplete secret', { exact: true })
      .waitFor();
    await (
      await check({ signature: validSignature.replace('sha256=', '') })
    )
      .getByText('Missing sha256= prefix', { exact: true })
      .waitFor();
    await (
      await check({ signature: validSignature, secret: `${first}x` })
    )
      .getByText('Different secret or body', { exact: true })
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('also signs deliveries with the next secret until that secret is discarded', async () => {
    const { page } = owner;
    await openTab(owner, 'Secret');
    await page.getByRole('button', { name: 'Create next secret' }).click();
    const nextSecret = await page.getByLabel('next secret', { exact: true }).innerText();
    expect(await accessibilityViolations(page)).toEqual([]);
    const post = await nextPost();
    expect(post.headers.get('X-Service-Signature-Next')).toBe(signedWith(post, nextSecret));
    expect(post.headers.get('X-Service-Signature')).toBe(signedWith(post, first));

    await page.getByRole('button', { name: 'Discard' }).click();
    const question = page.getByRole('dialog', { name: 'Discard the next secret?' });
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Create next secret' }).waitFor();
    const afterDiscard = await nextPost();
    expect(afterDiscard.headers.get('X-Service-Signature-Next')).toBeNull();
    expect(await verifyWebhook(afterDiscard.body, afterDiscard.headers, first)).toMatchObject({
      ok: true,
    });
    expect(await verifyWebhook(afterDiscard.body, afterDiscard.headers, nextSecret)).toMatchObject({
      ok: false,
    });
  });

  test('rotates a webhook secret by keyboard, with both secrets valid at each step', async () => {
    const { page } = owner;
    await pressOn(page, /button "Create next secret"/);
    second = await page.getByLabel('next secret', { exact: true }).innerText();
    expect(second).not.toBe(first);
    const prepared = await nextPost();
    expect(prepared.headers.get('X-Service-Signature-Next')).toBe(signedWith(prepared, second));
    expect(prepared.headers.get('X-Service-Signature')).toBe(signedWith(prepared, first));
    for (const secret of [first, second]) {
      const verified = await verifyWebhook(prepared.body, prepared.headers, secret);
      expect(verified).toMatchObject({ ok: true });
    }

    await pressOn(page, /button "Activate"/);
    await focusIsIn(page, 'Activate the next secret?');
    await pressOn(page, /button "Activate"/);
    await page
      .getByText(/The previous secret still signs deliveries in X-Service-Signature-Previous/)
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const overlap = await nextPost();
    expect(overlap.headers.get('X-Service-Signature-Next')).toBeNull();
    expect(overlap.headers.get('X-Service-Signature-Previous')).toBe(signedWith(overlap, first));
    expect(overlap.headers.get('X-Service-Signature')).toBe(signedWith(overlap, second));
    for (const secret of [first, second]) {
      const verified = await verifyWebhook(overlap.body, overlap.headers, secret);
      expect(verified).toMatchObject({ ok: true });
    }
  });

  test('adds new deliveries to an open delivery log', async () => {
    const { page } = owner;
    await owner.go(`/deliveries?endpoint=${endpointId}&test=false`);
    const count = hook.posts().length;
    const later = new Date(clock.now() + HOUR_MS).toISOString();
    await stage.restart({ NOW: later });
    await expect.poll(() => hook.posts().length).toBeGreaterThan(count);
    const post = hook.posts()[count];
    if (post === undefined) throw new Error('no POST');
    const { id } = JSON.parse(post.body.toString('utf8')) as { id: string };
    const row = page.getByRole('row', { name: new RegExp(`delivery ${id}`) });
    await row.getByText('delivered', { exact: true }).waitFor();
    const now = clock.now() + HOUR_MS;
    expect(await verifyWebhook(post.body, post.headers, second, { now })).toMatchObject({
      ok: true,
    });
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('asks for the password again after an hour before revealing a secret, and records the access', async () => {
    const { page } = owner;
    await owner.go(`/webhooks/${endpointId}`);
    const current = page.getByLabel('current secret', { exact: true });
    // Moves through the tabs, using only the keyboard.
    await skipToScreen(page);
    await tabTo(page, /tab "Overview"/);
    for (const next of ['Subscriptions', 'Secret']) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => focused(page)).toContain(`tab "${next}"`);
    }
    await page.getByRole('button', { name: 'Reveal secret' }).waitFor();
    await pressOn(page, /button "Reveal secret"/);
    await focusIsIn(page, 'Confirm your password');
    await typeHere(page, 'not the one at all');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => reasonAt(page, /^Password/)).not.toBe('');
    expect(await current.count()).toBe(0);
    await typeOver(page, owner.password);
    await page.keyboard.press('Enter');
    expect(await current.innerText()).toBe(second);
    const previous = page.getByLabel('previous secret', { exact: true });
    expect(await previous.innerText()).toBe(first);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Audit log', exact: true }).click();
    await page
      .getByText(/revealed a webhook secret/)
      .first()
      .waitFor();
    expect(await page.locator('body').innerText()).not.toContain('whsec_');
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});

/** Returns the expected signature header for a POST. */
function signedWith({ headers, body }: Post, secret: string): string {
  return sign({ timestamp: headers.get('X-Service-Timestamp') ?? '', body }, secret);
}
