import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { createOwner, type Owner } from '../support/owner.ts';
import { openStage, settled, type Stage } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('watchlists', () => {
  let stage: Stage;
  let owner: Owner;
  let symbol: string;

  beforeAll(async () => {
    stage = await openStage({});
    owner = await createOwner(stage, 'Night Harbour');
    const query = { search: 'a' };
    const [match] = await callAs(owner, stage.service.url, 'symbols-search', { query });
    symbol = match?.symbol ?? 'none';
    await owner.go('/watchlists');
  });
  afterAll(() => stage.close());

  test('adds a company to a new watchlist with Enter, which does not save the list', async () => {
    const { page } = owner;
    await page.getByRole('button', { name: 'New watchlist' }).click();
    const form = page.getByRole('dialog', { name: 'New watchlist' });
    await form.getByLabel('Name').fill('desk');
    const search = form.getByLabel('Find a company');
    await search.fill('no such company');
    await page.getByText('No company matches').waitFor();
    await search.press('Enter');
    await search.fill(symbol);
    await page.getByRole('option', { name: symbol }).first().waitFor();
    await search.press('Enter');
    await expect.poll(() => form.getByLabel('Symbols').inputValue()).toBe(symbol);
    expect(await callAs(owner, stage.service.url, 'watchlists-list', {})).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('restricts the calendar to a saved watchlist', async () => {
    const { page } = owner;
    await owner.go('/calendar');
    await page.getByRole('button', { name: 'Watchlist', exact: true }).click();
    await page.getByLabel('Saved watchlist').selectOption('desk');
    await page.getByRole('button', { name: '@desk', exact: true }).waitFor();
    await settled(page);
    const reports = page.locator('main a[href*="/symbols/"]');
    const others = async () => {
      const links = await reports.evaluateAll((all) =>
        all.map((link) => link.getAttribute('href') ?? ''),
      );
      return links.filter((link) => !link.includes(`/symbols/${symbol}`));
    };
    await expect.poll(others).toEqual([]);
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});
