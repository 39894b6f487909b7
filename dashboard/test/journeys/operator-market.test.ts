import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, tabTo } from '../support/focus.ts';
import { callAs } from '../support/management.ts';
import { focusIsIn, pressOn, skipToScreen, typeHere } from '../support/keyboard.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { aWhileLater, IN_SESSION, TRADING_DAY } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const TODAY = 'Wednesday, November 18, 2026';
const REASON = 'All trading is halted by order of the exchanges';

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('market and customer operations', () => {
  let stage: Stage;
  let operator: Visitor;
  /** A second window of the same operator, which is only used for observing. */
  let observer: Visitor;
  let customerId: string;
  let key: string;

  beforeAll(async () => {
    stage = await openStage({ NOW: IN_SESSION });
    operator = await stage.visit();
    await setUp(stage, operator);
    const { url } = stage.service;
    const body = { name: 'Night Desk', plan: 'pro' };
    ({ id: customerId } = await callAs(operator, url, 'customers-create', { body }));
    ({ key } = await callAs(operator, url, 'keys-create', { body: {} }, customerId));
    observer = await operator.window();
    await observer.go(`/?customer=${customerId}`);
    await observer.page
      .getByRole('img', { name: /pre-market from 04:00, open from 09:30/ })
      .waitFor();
    await chip(observer).getByText('Market open').waitFor();
  });
  afterAll(() => stage.close());

  test('closes the market for a day on every page and for customers', async () => {
    const { page } = operator;
    await operator.go('/operator/market');
    await page.getByRole('button', { name: `${TODAY}: 09:30 to 16:00` }).click();
    const dialog = page.getByRole('dialog', { name: 'Change trading day' });
    expect(await dialog.getByLabel(/^Date/).inputValue()).toBe(TRADING_DAY);
    await dialog.getByRole('button', { name: 'Review' }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel('Note').fill('Said on the wire at 9:58');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Review' }).click();
    const review = page.getByRole('dialog', { name: 'Review change' });
    await review.getByText(`${TODAY}: closed`).waitFor();
    await review.getByText('This is today in New York').waitFor();
    expect(await marketStatus()).toMatchObject({ currentMarketStatus: 'open' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await review.getByRole('button', { name: 'Publish' }).click();

    await chip(operator).getByText('Market closed').waitFor();
    expect(await marketStatus()).toMatchObject({ currentMarketStatus: 'closed', holiday: REASON });
    const now = page.getByRole('region', { name: 'Current status' });
    await now
      .getByText(/^closed/)
      .first()
      .waitFor();
    await aWhileLater(observer);
    await chip(observer).getByText('Market closed').waitFor();
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('restores regular market hours when the change is reverted, and still lists the change', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: `Revert the change for ${TODAY}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click();
    await chip(operator).getByText('Market open').waitFor();
    expect(await marketStatus()).toMatchObject({ currentMarketStatus: 'open', closedReason: null });
    await aWhileLater(observer);
    await chip(observer).getByText('Market open').waitFor();
    await page.getByRole('region', { name: 'Calendar changes' }).getByText(REASON).waitFor();
  });

  test('shows an early close of today on the overview', async () => {
    const { url } = stage.service;
    const body = { date: TRADING_DAY, kind: 'early-close', time: '13:00', reason: REASON } as const;
    const { id } = await callAs(operator, url, 'market-overrides-create', { body });
    await aWhileLater(observer);
    const { page } = observer;
    await page.getByText('Early close today at 13:00 in New York').waitFor();
    await page.getByRole('img', { name: /open from 09:30 to 13:00, after hours until/ }).waitFor();
    await callAs(operator, url, 'market-overrides-revoke', { path: { overrideId: String(id) } });
  });

  test('closes and reopens the market by keyboard', async () => {
    const { page } = operator;
    const { keyboard } = page;
    await operator.go('/operator/market');
    await skipToScreen(page);
    await pressOn(page, /button "Change trading day"/);
    const dialog = page.getByRole('dialog', { name: 'Change trading day' });
    await focusIsIn(page, 'Change trading day');
    // The initial focus is on the date input, not on the close button.
    await expect.poll(() => focused(page)).toMatch(/"Date/);
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "Change trading day"');

    const rerunTimers = await recordTimers(page);
    await keyboard.press('Enter');
    await focusIsIn(page, 'Change trading day');
    await tabTo(page, /textbox "Reason/);
    await typeHere(page, 'By');
    // Simulates a slow machine, on which the dialog's delayed focus changes would happen only now,
    // while the user is typing.
    await rerunTimers();
    await page.keyboard.type(' keyboard');
    expect(await page.getByLabel('Reason').inputValue()).toBe('By keyboard');
    await keyboard.press('Enter');
    await focusIsIn(page, 'Review change');
    await pressOn(page, /button "Publish"/);
    await chip(operator).getByText('Market closed').waitFor();
    expect(await marketStatus()).toMatchObject({
      currentMarketStatus: 'closed',
      holiday: 'By keyboard',
    });
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await pressOn(page, /button "Revert the change for Wednesday, November 18, 2026"/);
    // Cancel has the initial focus.
    await expect.poll(() => focused(page)).toContain('button "Cancel"');
    await pressOn(page, /button "Revert"/);
    await chip(operator).getByText('Market open').waitFor();
    expect(await marketStatus()).toMatchObject({ currentMarketStatus: 'open' });
  });

  test('rejects requests from a suspended customer until the customer is reactivated', async () => {
    const { page } = operator;
    await operator.go('/operator/customers');
    await page.getByRole('link', { name: 'Night Desk' }).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Suspend Night Desk?' });
    await question.getByText('403 customer-suspended').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Suspend' }).click();
    const resume = page.getByRole('button', { name: 'Reactivate', exact: true });
    await resume.waitFor();
    const refused = await stage.service.get('/v1/market-status', key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'customer-suspended' } });
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);

    await resume.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    expect(await stage.service.get('/v1/market-status', key)).toMatchObject({ status: 200 });
  });

  test('records every market and customer operation in the audit log', async () => {
    const { page } = operator;
    await operator.go('/operator/audit');
    const events = page.getByRole('region', { name: 'Events, newest first' });
    const countEvents = async (action: string): Promise<number> =>
      events.getByText(`You ${action}`).count();
    await events.waitFor();
    expect(await countEvents(`changed the market calendar for ${TRADING_DAY}`)).toBe(3);
    expect(await countEvents('reverted a market calendar change')).toBe(3);
    expect(await countEvents('suspended the account')).toBe(1);
    expect(await countEvents('reactivated the account')).toBe(1);
    await events
      .getByRole('row')
      .filter({ hasText: 'suspended' })
      .getByText('Night Desk')
      .waitFor();
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });

  /** Returns the market status that a customer gets from the API. */
  async function marketStatus(): Promise<unknown> {
    const { body } = await stage.service.get('/v1/market-status', key);
    return body;
  }
});

/**
 * Starts recording `setTimeout` callbacks that have no delay. The returned function runs them
 * again, as if they had been late.
 */
async function recordTimers(page: Page): Promise<() => Promise<void>> {
  const handle = await page.evaluateHandle(() => {
    const callbacks: (() => void)[] = [];
    const original = window.setTimeout;
    const record = (callback: () => void, ms?: number, ...rest: unknown[]): unknown => {
      if (ms === undefined) callbacks.push(callback);
      return original(callback, ms, ...rest);
    };
    window.setTimeout = record as typeof window.setTimeout;
    return {
      rerunTimers() {
        window.setTimeout = original;
        for (const callback of callbacks) callback();
        return callbacks.length;
      },
    };
  });
  return async () => {
    expect(await handle.evaluate((recorder) => recorder.rerunTimers())).toBeGreaterThan(0);
  };
}

/** Returns the market status in the header. */
function chip({ page }: Visitor) {
  return page.getByRole('banner').getByRole('status');
}
