import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, tabTo } from '../support/focus.ts';
import { callAs } from '../support/management.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('the earnings week by keyboard', () => {
  let stage: Stage;
  let operator: Visitor;

  beforeAll(async () => {
    stage = await openStage({ NOW: IN_SESSION });
    operator = await stage.visit();
    await setUp(stage, operator);
    const { customers } = await callAs(operator, stage.service.url, 'customers-list', {});
    await operator.go(`/calendar?customer=${customers[0]?.id ?? 'none'}`);
  });
  afterAll(() => stage.close());

  test('navigates between earnings weeks', async () => {
    const { page } = operator;
    await page.getByText('November 16 – 20, 2026').waitFor();
    await tabTo(page, /link "Skip to content"/);
    await page.keyboard.press('Enter');
    await tabTo(page, /button "Next week"/);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /November 23/ }).waitFor();
    expect(await focused(page)).toContain('button "Next week"');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toContain('button "Previous week"');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /November 18/ }).waitFor();
    await settled(page);
  });

  test('opens the list of reports for a day and returns the focus on Escape', async () => {
    const { page } = operator;
    await tabTo(page, /link "\d+ reports? on .*, as a list"/);
    const from = await focused(page);
    await page.keyboard.press('Enter');
    const list = page.getByRole('dialog', { name: /^Reports on / });
    await list.getByRole('table').waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(from);
  });

  test('opens a company page from the earnings week', async () => {
    const { page } = operator;
    await page.keyboard.press('Tab');
    const snapshot = await focused(page);
    const symbol = /link "([A-Z]+)/.exec(snapshot)?.[1] ?? `none in ${snapshot}`;
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/symbols/${symbol}*`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});
