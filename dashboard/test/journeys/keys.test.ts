import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { hindrances } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { makeKey } from '../support/make-key.ts';
import { callAs } from '../support/management.ts';
import { bringOwner, type Owner } from '../support/owner.ts';
import { signIn } from '../support/sign-in.ts';
import { openStage, OPERATOR, settled, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const DAY_MS = 86_400_000;

/** One journey: each part begins where the one before it ended. */
describe.skipIf(hasNoBrowser)('keys', () => {
  let stage: Stage;
  let owner: Owner;
  let key: string;
  const ask = (path: string, by: string) => stage.service.get(path, by);

  beforeAll(async () => {
    stage = await openStage();
    owner = await bringOwner(stage, 'Harbour Research');
  });
  afterAll(() => stage.close());

  test('a key says what it may, from where and until when, and a bad block gets its reason', async () => {
    const { page } = owner;
    await owner.go('/keys');
    await page.getByRole('button', { name: 'Make the first key' }).click();
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.getByRole('checkbox', { name: 'Read the data' }).uncheck();
    await form.getByRole('button', { name: 'Make the key' }).click();
    await form.getByText('A key needs a scope.').waitFor();
    await form.getByRole('checkbox', { name: 'Read the data' }).check();
    const from = form.getByRole('textbox', { name: 'Only from these addresses' });
    await from.fill('10.1.2.3/8');
    await form.getByRole('button', { name: 'Make the key' }).click();
    await form.getByText(/10\.1\.2\.3\/8 is no block/).waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    expect(await hindrances(page)).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();

    const given = { name: 'Night job', from: '127.0.0.0/8\n::1', ends: 'After 30 days' };
    key = await makeKey(owner, given);
    const row = page.getByRole('row', { name: /Night job/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringContaining('Night job'),
      'active',
      'read',
      '127.0.0.0/8, ::1/128',
      'never',
      expect.stringMatching(/^in (29|30) days$/),
      '',
    ]);
    expect(await hindrances(page)).toEqual([]);
  });

  test('a key is shown once: after that its screen holds only its two ends', async () => {
    const { page } = owner;
    await page.reload();
    await page.getByRole('row', { name: /Night job/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(JSON.stringify(await callAs(owner, stage.service.url, 'keys-list', {}))).not.toContain(
      key,
    );
    expect(await page.content()).toContain(key.slice(-4));
  });

  test('what is asked with it appears in Requests, Usage and Keys by itself', async () => {
    const [requests, usage] = await Promise.all([owner.window(), owner.window()]);
    await requests.go('/requests');
    await usage.go('/usage');
    await requests.page.getByText('No request yet').waitFor();
    expect((await ask('/v1/market-status', key)).status).toBe(200);
    expect((await ask('/v1/calendar/earnings?date=today', key)).status).toBe(200);
    expect((await ask('/v1/earnings?symbol=%21', key)).status).toBe(400);

    const log = requests.page.getByRole('table', { name: 'Requests, the newest first' });
    await log.getByRole('row', { name: /200 GET \/v1\/market-status .*Night job/ }).waitFor();
    await log.getByRole('row', { name: /400 GET \/v1\/earnings.*Night job/ }).waitFor();
    await usage.page.getByRole('heading', { name: '3 requests' }).waitFor();
    const byKey = usage.page.getByRole('region', { name: 'By key' });
    await byKey
      .getByRole('listitem')
      .filter({ hasText: /Night job\s*3/ })
      .waitFor();
    await owner.page
      .getByRole('row', { name: /Night job.*active.*(just now|ago)/ })
      .waitFor({ timeout: 120_000 });
    expect(await hindrances(requests.page)).toEqual([]);
    expect(await hindrances(usage.page)).toEqual([]);
    await Promise.all([requests.page.close(), usage.page.close()]);
  });

  test('a key that does not work from here is refused here, and one for programs sees no people', async () => {
    const elsewhere = await makeKey(owner, { name: 'Elsewhere', from: '192.0.2.0/24' });
    expect(await ask('/v1/market-status', elsewhere)).toMatchObject({
      status: 403,
      body: { code: 'ip-not-allowed' },
    });
    const manager = await makeKey(owner, { name: 'Robot', may: 'manage' });
    expect((await ask('/account/v1/keys', manager)).status).toBe(200);
    for (const path of ['people', 'invitations', 'audit']) {
      expect(await ask(`/account/v1/${path}`, manager), path).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
    expect(await ask('/v1/market-status', manager)).toMatchObject({
      status: 403,
      body: { code: 'insufficient-scope' },
    });
  });

  test('a rolled key works beside its successor, until it is revoked and refused at once', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Acts on Night job' }).click();
    await page.getByRole('menuitem', { name: 'Roll…' }).click();
    const roll = page.getByRole('dialog', { name: 'Roll Night job' });
    expect(await roll.getByRole('combobox', { name: 'The old key' }).inputValue()).toBe(
      'A day more',
    );
    expect(await hindrances(page)).toEqual([]);
    await roll.getByRole('button', { name: 'Roll', exact: true }).click();
    const next = await page.getByLabel('the key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(next).not.toBe(key);
    expect((await ask('/v1/market-status', key)).status).toBe(200);
    expect((await ask('/v1/market-status', next)).status).toBe(200);

    const old = page.getByRole('row', { name: new RegExp(key.slice(-4)) });
    await old.getByRole('button', { name: 'Acts on Night job' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke this key?' });
    await question.getByText(`…${key.slice(-4)}`).waitFor();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await old.getByText('revoked').waitFor();
    const { status, headers, body } = await ask('/v1/market-status', key);
    expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid-api-key' } });
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect((await ask('/v1/market-status', next)).status).toBe(200);
  });

  test('a disabled key is refused until it is enabled, and then works as before', async () => {
    const { page } = owner;
    const switched = await makeKey(owner, { name: 'Now and then' });
    for (const [item, code] of [
      ['Disable', 'api-key-disabled'],
      ['Enable', undefined],
    ] as const) {
      await page.getByRole('button', { name: 'Acts on Now and then' }).click();
      const menu = page.getByRole('menu');
      await menu.getByRole('menuitem', { name: item }).click();
      const word = item === 'Disable' ? 'disabled' : 'active';
      await page.getByRole('row', { name: new RegExp(`Now and then.*${word}`) }).waitFor();
      const { body } = await ask('/v1/market-status', switched);
      expect((body as { code?: string }).code).toBe(code);
    }
  });

  test('a key that nobody used for 30 days says so', async () => {
    const late = await owner.window();
    await late.page.clock.setFixedTime(systemClock().now() + 31 * DAY_MS);
    await late.go('/keys');
    await settled(late.page);
    await late.page.getByRole('row', { name: /Robot.*unused for 30 days/ }).waitFor();
    expect(await hindrances(late.page)).toEqual([]);
  });

  test('keys of a suspended account say so, and nobody takes one out by mistake', async () => {
    const operator = await stage.visit();
    await signIn(stage, operator, OPERATOR);
    const path = { customerId: owner.customerId };
    await callAs(operator, stage.service.url, 'customers-suspend', { path });
    const { page } = owner;
    await owner.go('/keys');
    await page.getByRole('row', { name: /Robot.*account suspended/ }).waitFor();
    await page.getByRole('button', { name: 'Acts on Robot' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Revoke…']);
    await page.keyboard.press('Escape');
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });
});
