import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, isFocusSeen, tabTo } from '../support/focus.ts';
import { typeHere } from '../support/keyboard.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { signOut } from '../support/sign-in.ts';
import { openStage, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/**
 * The number of times to press Tab. No dialog has as many Tab stops, so this moves through the
 * whole dialog and proves that the focus is trapped.
 */
const ROUND = 12;

/** Each test continues from the previous one, using only the keyboard. */
describe.skipIf(hasNoBrowser)('API keys by keyboard', () => {
  let stage: Stage;
  let owner: Owner;
  let page: Page;
  let key: string;
  const press = (name: string) => page.keyboard.press(name);

  beforeAll(async () => {
    stage = await openStage();
    owner = await createOwner(stage, 'Harbour Research');
    ({ page } = owner);
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signOut(owner);
  });
  afterAll(() => stage.close());

  test('returns to the requested page after signing in', async () => {
    await page.goto(`${stage.service.url}/dashboard/keys`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tabTo(page, /textbox "Email"/);
    await typeHere(page, owner.email);
    await tabTo(page, /textbox "Password"/, 1);
    await typeHere(page, owner.password);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  });

  test('skips the header and navigation with the first link on the page', async () => {
    await tabTo(page, /link "Skip to content"/, 1);
    await press('Enter');
    await tabTo(page, /button "New key"/, 1);
  });

  test('traps the focus in the new-key form and returns it to the button on Escape', async () => {
    await press('Enter');
    await expect.poll(() => focused(page)).toContain('textbox "Name');
    expect(await isFocusSeen(page)).toBe(true);
    await expectTrap('New API key');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "New key"');
  });

  test('creates an API key and copies it', async () => {
    await press('Enter');
    await expect.poll(() => focused(page)).toContain('textbox "Name');
    await typeHere(page, 'Night job');
    await press('Enter');
    await page.getByRole('button', { name: 'Copy API key' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).not.toBe('');
    await tabTo(page, /button "Copy API key"/);
    await press('Enter');
    await page.getByRole('button', { name: 'API key copied' }).waitFor();
    key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toBe(await page.getByLabel('API key', { exact: true }).innerText());
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
    await tabTo(page, /button "Done"/);
    await press('Enter');
    await page.getByText('Copy your API key now').waitFor({ state: 'detached' });
  });

  test('focuses Cancel in the revoke dialog and returns the focus to the button on Escape', async () => {
    await tabTo(page, /button "Actions for Night job"/);
    await askToRevoke();
    await expectTrap('Revoke API key?');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "Actions for Night job"');
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
  });

  test('revokes an API key', async () => {
    await askToRevoke();
    await tabTo(page, /button "Revoke"/, 1);
    await press('Enter');
    await page.getByRole('row', { name: /Night job.*revoked/ }).waitFor();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(401);
    await expect.poll(() => focused(page)).toContain('button "Actions for Night job"');
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });

  /** Opens the revoke dialog from the key menu, whose button has the focus. */
  async function askToRevoke(): Promise<void> {
    await press('Enter');
    await page.getByRole('menu').waitFor();
    // A menu takes the focus only a moment after it opens.
    const step = async (): Promise<string> => {
      await press('ArrowDown');
      return focused(page);
    };
    await expect.poll(step).toContain('menuitem "Revoke…"');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Revoke API key?' }).waitFor();
    await expect.poll(() => focused(page)).toContain('button "Cancel"');
    expect(await isFocusSeen(page)).toBe(true);
  }

  /**
   * Tabs around the dialog in both directions and checks that the focus stays inside and is always
   * visible.
   */
  async function expectTrap(name: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name });
    for (const way of ['Tab', 'Shift+Tab']) {
      for (let stop = 0; stop < ROUND; stop++) {
        await press(way);
        expect(await dialog.locator('*:focus').count(), await focused(page)).toBe(1);
        expect(await isFocusSeen(page), await focused(page)).toBe(true);
      }
    }
  }
});
