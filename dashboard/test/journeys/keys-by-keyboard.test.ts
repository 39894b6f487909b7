import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, isFocusSeen, tabTo } from '../support/focus.ts';
import { typeHere } from '../support/keyboard.ts';
import { bringOwner, type Owner } from '../support/owner.ts';
import { signOut } from '../support/sign-in.ts';
import { openStage, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Stops that a dialog surely has fewer of: going so far shows that the focus stays in it. */
const ROUND = 12;

/** One journey without a mouse: each part begins where the one before it ended. */
describe.skipIf(hasNoBrowser)('keys by keyboard alone', () => {
  let stage: Stage;
  let owner: Owner;
  let page: Page;
  let key: string;
  const press = (name: string) => page.keyboard.press(name);

  beforeAll(async () => {
    stage = await openStage();
    owner = await bringOwner(stage, 'Harbour Research');
    ({ page } = owner);
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signOut(owner);
  });
  afterAll(() => stage.close());

  test('one signs in and comes to where one wanted', async () => {
    await page.goto(`${stage.service.url}/dashboard/keys`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tabTo(page, /textbox "E-mail"/);
    await typeHere(page, owner.email);
    await tabTo(page, /textbox "Password"/, 1);
    await typeHere(page, owner.password);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  });

  test('the first stop leads past the bar and the list of screens', async () => {
    await tabTo(page, /link "Skip to the screen"/, 1);
    await press('Enter');
    await tabTo(page, /button "New key"/, 1);
  });

  test('the form takes the focus, keeps it, and gives it back at Escape', async () => {
    await press('Enter');
    await expect.poll(() => focused(page)).toContain('textbox "Name');
    expect(await isFocusSeen(page)).toBe(true);
    await expectTrap('New key');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "New key"');
  });

  test('a key is made and copied', async () => {
    await press('Enter');
    await expect.poll(() => focused(page)).toContain('textbox "Name');
    await typeHere(page, 'Night job');
    await press('Enter');
    await page.getByRole('button', { name: 'Copy the key' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).not.toBe('');
    await tabTo(page, /button "Copy the key"/);
    await press('Enter');
    await page.getByRole('button', { name: 'the key copied' }).waitFor();
    key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toBe(await page.getByLabel('the key', { exact: true }).innerText());
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
    await tabTo(page, /button "I have it"/);
    await press('Enter');
    await page.getByText('Copy the key now').waitFor({ state: 'detached' });
  });

  test('a question before the end of a key waits at what does no harm, and gives the focus back', async () => {
    await tabTo(page, /button "Acts on Night job"/);
    await askToRevoke();
    await expectTrap('Revoke this key?');
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "Acts on Night job"');
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
  });

  test('the key is revoked', async () => {
    await askToRevoke();
    await tabTo(page, /button "Revoke"/, 1);
    await press('Enter');
    await page.getByRole('row', { name: /Night job.*revoked/ }).waitFor();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(401);
    await expect.poll(() => focused(page)).toContain('button "Acts on Night job"');
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });

  /** By the menu of the key that has the focus. */
  async function askToRevoke(): Promise<void> {
    await press('Enter');
    await page.getByRole('menu').waitFor();
    // The menu takes the focus a moment after it opens, so each step looks where it is.
    const step = async (): Promise<string> => {
      await press('ArrowDown');
      return focused(page);
    };
    await expect.poll(step).toContain('menuitem "Revoke…"');
    await press('Enter');
    await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor();
    await expect.poll(() => focused(page)).toContain('button "Cancel"');
    expect(await isFocusSeen(page)).toBe(true);
  }

  /** Goes round in the dialog both ways: every stop is in it, and seen. */
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
