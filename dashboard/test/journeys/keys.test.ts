import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../service/src/platform/clock.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { createKey } from '../support/create-key.ts';
import { callAs } from '../support/management.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { signIn } from '../support/sign-in.ts';
import { openStage, OPERATOR, settled, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const DAY_MS = 86_400_000;

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('API keys', () => {
  let stage: Stage;
  let owner: Owner;
  let key: string;
  const get = (path: string, apiKey: string) => stage.service.get(path, apiKey);

  beforeAll(async () => {
    stage = await openStage();
    owner = await createOwner(stage, 'Harbour Research');
  });
  afterAll(() => stage.close());

  test('creates an API key with scopes, CIDRs, and an expiry, and explains why a CIDR is invalid', async () => {
    const { page } = owner;
    await owner.go('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'New API key' });
    await form.getByRole('checkbox', { name: 'Read data' }).uncheck();
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('Select at least one scope.').waitFor();
    await form.getByRole('checkbox', { name: 'Read data' }).check();
    const from = form.getByRole('textbox', { name: 'Allowed IP addresses' });
    await from.fill('10.1.2.3/8');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText(/10\.1\.2\.3\/8 is not a CIDR block/).waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();

    const input = { name: 'Night job', from: '127.0.0.0/8\n::1', ends: 'In 30 days' };
    key = await createKey(owner, input);
    const row = page.getByRole('row', { name: /Night job/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      expect.stringContaining('Night job'),
      'active',
      'read',
      '127.0.0.0/8, ::1/128',
      'olga@harbour.example',
      'never',
      expect.stringMatching(/^in (29|30) days$/),
      '',
    ]);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('shows a whole API key only once, and afterwards only its prefix and last characters', async () => {
    const { page } = owner;
    await page.reload();
    await page.getByRole('row', { name: /Night job/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(JSON.stringify(await callAs(owner, stage.service.url, 'keys-list', {}))).not.toContain(
      key,
    );
    expect(await page.content()).toContain(key.slice(-4));
  });

  test('shows API requests live in the request log, on the usage page, and in the key list', async () => {
    const [requests, usage] = await Promise.all([owner.window(), owner.window()]);
    await requests.go('/requests');
    await usage.go('/usage');
    await requests.page.getByText('No requests yet').waitFor();
    expect((await get('/v1/market-status', key)).status).toBe(200);
    expect((await get('/v1/calendar/earnings?date=today', key)).status).toBe(200);
    expect((await get('/v1/earnings?symbol=%21', key)).status).toBe(400);

    const log = requests.page.getByRole('table', { name: 'Requests, newest first' });
    await log.getByRole('row', { name: /200 GET \/v1\/market-status .*Night job/ }).waitFor();
    await log.getByRole('row', { name: /400 GET \/v1\/earnings.*Night job/ }).waitFor();
    await usage.page.getByRole('heading', { name: '3 requests' }).waitFor();
    const byKey = usage.page.getByRole('region', { name: 'By API key' });
    await byKey
      .getByRole('listitem')
      .filter({ hasText: /Night job\s*3/ })
      .waitFor();
    await owner.page
      .getByRole('row', { name: /Night job.*active.*(just now|ago)/ })
      .waitFor({ timeout: 120_000 });
    expect(await accessibilityViolations(requests.page)).toEqual([]);
    expect(await accessibilityViolations(usage.page)).toEqual([]);
    await Promise.all([requests.page.close(), usage.page.close()]);
  });

  test('rejects an API key outside its CIDRs, and denies a manage key access to members and the audit log', async () => {
    const elsewhere = await createKey(owner, { name: 'Elsewhere', from: '192.0.2.0/24' });
    expect(await get('/v1/market-status', elsewhere)).toMatchObject({
      status: 403,
      body: { code: 'ip-not-allowed' },
    });
    const manager = await createKey(owner, { name: 'Robot', may: 'manage' });
    expect((await get('/account/v1/keys', manager)).status).toBe(200);
    for (const path of ['people', 'invitations', 'audit']) {
      expect(await get(`/account/v1/${path}`, manager), path).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    }
    expect(await get('/v1/market-status', manager)).toMatchObject({
      status: 403,
      body: { code: 'insufficient-scope' },
    });
  });

  test('accepts a rolled API key until it is revoked', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'Actions for Night job' }).click();
    await page.getByRole('menuitem', { name: 'Roll…' }).click();
    const roll = page.getByRole('dialog', { name: 'Roll Night job' });
    expect(await roll.getByRole('combobox', { name: 'Old key expires' }).inputValue()).toBe(
      'In 24 hours',
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await roll.getByRole('button', { name: 'Roll key' }).click();
    const next = await page.getByLabel('API key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(next).not.toBe(key);
    expect((await get('/v1/market-status', key)).status).toBe(200);
    expect((await get('/v1/market-status', next)).status).toBe(200);

    const old = page.getByRole('row', { name: new RegExp(key.slice(-4)) });
    await old.getByRole('button', { name: 'Actions for Night job' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke API key?' });
    await question.getByText(`…${key.slice(-4)}`).waitFor();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await old.getByText('revoked').waitFor();
    const { status, headers, body } = await get('/v1/market-status', key);
    expect({ status, body }).toMatchObject({ status: 401, body: { code: 'invalid-api-key' } });
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect((await get('/v1/market-status', next)).status).toBe(200);
  });

  test('rejects a disabled API key until it is enabled', async () => {
    const { page } = owner;
    const switched = await createKey(owner, { name: 'Now and then' });
    for (const [item, code] of [
      ['Disable', 'api-key-disabled'],
      ['Enable', undefined],
    ] as const) {
      await page.getByRole('button', { name: 'Actions for Now and then' }).click();
      const menu = page.getByRole('menu');
      await menu.getByRole('menuitem', { name: item }).click();
      const status = item === 'Disable' ? 'disabled' : 'active';
      await page.getByRole('row', { name: new RegExp(`Now and then.*${status}`) }).waitFor();
      const { body } = await get('/v1/market-status', switched);
      expect((body as { code?: string }).code).toBe(code);
    }
  });

  test('flags an API key that was not used for 30 days', async () => {
    const late = await owner.window();
    await late.page.clock.setFixedTime(systemClock().now() + 31 * DAY_MS);
    await late.go('/keys');
    await settled(late.page);
    await late.page.getByRole('row', { name: /Robot.*unused for 30 days/ }).waitFor();
    expect(await accessibilityViolations(late.page)).toEqual([]);
  });

  test('marks the API keys of a suspended account as suspended and offers no action but revoking them', async () => {
    const operator = await stage.visit();
    await signIn(stage, operator, OPERATOR);
    const path = { customerId: owner.customerId };
    await callAs(operator, stage.service.url, 'customers-suspend', { path });
    const { page } = owner;
    await owner.go('/keys');
    await page.getByRole('row', { name: /Robot.*suspended/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Robot' }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Revoke…']);
    await page.keyboard.press('Escape');
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});
