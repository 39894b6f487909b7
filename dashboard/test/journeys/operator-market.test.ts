import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hindrances } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { focused, tabTo } from '../support/focus.ts';
import { callAs } from '../support/management.ts';
import { focusIsIn, pressOn, skipToScreen, typeHere } from '../support/keyboard.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { aWhileLater, IN_SESSION, TRADING_DAY } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const TODAY = 'Wednesday, November 18, 2026';
const REASON = 'All trading is halted by order of the exchanges';

/** One journey: each part begins where the one before it ended. */
describe.skipIf(hasNoBrowser)('an operator, the market and the customers', () => {
  let stage: Stage;
  let operator: Visitor;
  /** Another window of the same person, which is only looked at. */
  let beside: Visitor;
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
    beside = await operator.window();
    await beside.go(`/?customer=${customerId}`);
    await beside.page
      .getByRole('img', { name: /pre-market from 04:00, open from 09:30/ })
      .waitFor();
    await chip(beside).getByText('Market open').waitFor();
  });
  afterAll(() => stage.close());

  test('a day that is closed in an emergency is closed on every page and for customers', async () => {
    const { page } = operator;
    await operator.go('/operator/market');
    await page.getByRole('button', { name: `${TODAY}: 09:30 to 16:00` }).click();
    const dialog = page.getByRole('dialog', { name: 'Change a trading day' });
    expect(await dialog.getByLabel(/^Day/).inputValue()).toBe(TRADING_DAY);
    await dialog.getByRole('button', { name: 'Review' }).click();
    await dialog.getByText('Customers are told a reason.').waitFor();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel('Note').fill('Said on the wire at 9:58');
    expect(await hindrances(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Review' }).click();
    const review = page.getByRole('dialog', { name: 'This is what happens' });
    await review.getByText(`${TODAY}: closed`).waitFor();
    await review.getByText('That is today in New York').waitFor();
    expect(await told()).toMatchObject({ currentMarketStatus: 'open' });
    expect(await hindrances(page)).toEqual([]);
    await review.getByRole('button', { name: 'Tell everybody' }).click();

    await chip(operator).getByText('Market closed').waitFor();
    expect(await told()).toMatchObject({ currentMarketStatus: 'closed', holiday: REASON });
    const now = page.getByRole('region', { name: 'What customers are told now' });
    await now
      .getByText(/^closed/)
      .first()
      .waitFor();
    await aWhileLater(beside);
    await chip(beside).getByText('Market closed').waitFor();
    await settled(page);
    expect(await hindrances(page)).toEqual([]);
  });

  test('taken back, the day has its usual hours everywhere, and the entry stays', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: `Take back the change of ${TODAY}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await chip(operator).getByText('Market open').waitFor();
    expect(await told()).toMatchObject({ currentMarketStatus: 'open', closedReason: null });
    await aWhileLater(beside);
    await chip(beside).getByText('Market open').waitFor();
    await page.getByRole('region', { name: 'Changes of the calendar' }).getByText(REASON).waitFor();
  });

  test('who has no mouse closes the market too, and takes it back', async () => {
    const { page } = operator;
    const { keyboard } = page;
    await operator.go('/operator/market');
    await skipToScreen(page);
    await pressOn(page, /button "Change a day"/);
    const dialog = page.getByRole('dialog', { name: 'Change a trading day' });
    await focusIsIn(page, 'Change a trading day');
    // At the day itself: not at the button that closes it all.
    await expect.poll(() => focused(page)).toMatch(/"Day/);
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toContain('button "Change a day"');

    const again = await lateTimers(page);
    await keyboard.press('Enter');
    await focusIsIn(page, 'Change a trading day');
    await tabTo(page, /textbox "Reason/);
    await typeHere(page, 'By');
    // A slow machine comes to what moves the focus at the opening only now, in the middle of a word.
    await again();
    await page.keyboard.type(' keyboard');
    expect(await page.getByLabel('Reason').inputValue()).toBe('By keyboard');
    await keyboard.press('Enter');
    await focusIsIn(page, 'This is what happens');
    await pressOn(page, /button "Tell everybody"/);
    await chip(operator).getByText('Market closed').waitFor();
    expect(await told()).toMatchObject({ currentMarketStatus: 'closed', holiday: 'By keyboard' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await pressOn(page, /button "Take back the change of Wednesday, November 18, 2026"/);
    // The harmless answer is the one at hand.
    await expect.poll(() => focused(page)).toContain('button "Cancel"');
    await pressOn(page, /button "Take back"/);
    await chip(operator).getByText('Market open').waitFor();
    expect(await told()).toMatchObject({ currentMarketStatus: 'open' });
  });

  test('a customer who is suspended is refused, and is answered again when resumed', async () => {
    const { page } = operator;
    await operator.go('/operator/customers');
    await page.getByRole('link', { name: 'Night Desk' }).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Suspend Night Desk?' });
    await question.getByText('403 customer-suspended').waitFor();
    expect(await hindrances(page)).toEqual([]);
    await question.getByRole('button', { name: 'Suspend' }).click();
    const resume = page.getByRole('button', { name: 'Resume', exact: true });
    await resume.waitFor();
    const refused = await stage.service.get('/v1/market-status', key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'customer-suspended' } });
    await settled(page);
    expect(await hindrances(page)).toEqual([]);

    await resume.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    expect(await stage.service.get('/v1/market-status', key)).toMatchObject({ status: 200 });
  });

  test('the audit names all of it', async () => {
    const { page } = operator;
    await operator.go('/operator/audit');
    const acts = page.getByRole('region', { name: 'Acts, the newest first' });
    const named = async (act: string): Promise<number> => acts.getByText(`You ${act}`).count();
    await acts.waitFor();
    expect(await named(`changed the market calendar of ${TRADING_DAY}`)).toBe(2);
    expect(await named('took a change of the market calendar back')).toBe(2);
    expect(await named('suspended the account')).toBe(1);
    expect(await named('resumed the account')).toBe(1);
    await acts.getByRole('row').filter({ hasText: 'suspended' }).getByText('Night Desk').waitFor();
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });

  /** What customers are told of the market at this moment. */
  async function told(): Promise<unknown> {
    const { body } = await stage.service.get('/v1/market-status', key);
    return body;
  }
});

/**
 * Keeps what from now on is put off with `setTimeout(act)`; the returned call does all of it once
 * more, as if it came late.
 */
async function lateTimers(page: Page): Promise<() => Promise<void>> {
  const kept = await page.evaluateHandle(() => {
    const acts: (() => void)[] = [];
    const before = window.setTimeout;
    const keep = (act: () => void, ms?: number, ...rest: unknown[]): unknown => {
      if (ms === undefined) acts.push(act);
      return before(act, ms, ...rest);
    };
    window.setTimeout = keep as typeof window.setTimeout;
    return {
      again() {
        window.setTimeout = before;
        for (const act of acts) act();
        return acts.length;
      },
    };
  });
  return async () => {
    expect(await kept.evaluate((it) => it.again())).toBeGreaterThan(0);
  };
}

/** The state of the market that stands above every screen. */
function chip({ page }: Visitor) {
  return page.getByRole('banner').getByRole('status');
}
