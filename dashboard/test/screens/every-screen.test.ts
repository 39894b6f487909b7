import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hindrances, OF_COLOURS } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnish.ts';
import { filled, screens } from '../support/screens.ts';
import type { Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

const WIDE = { width: 1_280, height: 860 };
const PHONE = { width: 390, height: 860 };
const { inside, door } = screens();

describe.skipIf(hasNoBrowser)('every screen', () => {
  let house: Furnished;

  beforeAll(async () => {
    // A day with a session, whatever day it is today: other things are shown then.
    house = await openFurnished({ NOW: IN_SESSION });
  });
  afterAll(() => house.close());

  test('is found by its route file', () => {
    expect(inside.length + door.length).toBeGreaterThan(30);
    expect(inside).toContain('/webhooks/$endpointId');
  });

  test.each(inside)('%s hinders nobody, light or dark, and fits a phone', async (pattern) => {
    const { page, go } = house.operator;
    await go(addressOf(pattern, house));
    expect(await hindrances(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await hindrances(page, OF_COLOURS)).toEqual([]);
    await page.setViewportSize(PHONE);
    await expect.poll(() => widthOf(house.operator)).toBe(PHONE.width);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(WIDE);
  });

  test.each(door)('%s, in front of the door, too', async (address) => {
    for (const scheme of ['light', 'dark'] as const) {
      const visitor = await house.stage.visit({ scheme, width: PHONE.width });
      await visitor.go(address);
      expect(await hindrances(visitor.page)).toEqual([]);
      await expect.poll(() => widthOf(visitor)).toBe(PHONE.width);
      await visitor.context.close();
    }
  });

  test('a screen that is opened on a phone in the dark fits it from the first', async () => {
    const phone = await house.stage.visit({ scheme: 'dark', width: PHONE.width });
    await phone.context.addCookies(await house.operator.context.cookies());
    await phone.go('/operator');
    expect(await hindrances(phone.page)).toEqual([]);
    await expect.poll(() => widthOf(phone)).toBe(PHONE.width);
  });

  test('loads nothing from elsewhere and says nothing bad to the console', () => {
    expect(house.stage.troubles()).toEqual([]);
  });
});

/** Screens of an account are looked at by the operator, who names it. */
function addressOf(pattern: string, { values, customerId }: Furnished): string {
  const path = filled(pattern, values);
  const isOfAccount = !/^\/(operator|security|welcome)/.test(pattern);
  return isOfAccount ? `${path}?customer=${customerId}` : path;
}

/** How wide the page is, scrolled parts and all. */
function widthOf({ page }: Visitor): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
