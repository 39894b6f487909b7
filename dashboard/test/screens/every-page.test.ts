import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityViolations, COLOR_RULES } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnished-stage.ts';
import { filled, screens } from '../support/screens.ts';
import type { Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

const WIDE = { width: 1_280, height: 860 };
const PHONE = { width: 390, height: 860 };
const { inside, door } = screens();

describe.skipIf(hasNoBrowser)('every page', () => {
  let furnished: Furnished;

  beforeAll(async () => {
    // Uses a fixed trading day, because pages look different on other days.
    furnished = await openFurnished({ NOW: IN_SESSION });
  });
  afterAll(() => furnished.close());

  test('finds every dashboard page in the route tree', () => {
    expect(inside.length + door.length).toBeGreaterThan(30);
    expect(inside).toContain('/webhooks/$endpointId');
  });

  test.each(inside)('%s has no accessibility violations and fits on a phone', async (pattern) => {
    const { page, go } = furnished.operator;
    await go(addressOf(pattern, furnished));
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page, COLOR_RULES)).toEqual([]);
    await page.setViewportSize(PHONE);
    await expect.poll(() => widthOf(furnished.operator)).toBe(PHONE.width);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(WIDE);
  });

  test.each(door)('%s has no accessibility violations when signed out', async (address) => {
    for (const scheme of ['light', 'dark'] as const) {
      const visitor = await furnished.stage.visit({ scheme, width: PHONE.width });
      await visitor.go(address);
      expect(await accessibilityViolations(visitor.page)).toEqual([]);
      await expect.poll(() => widthOf(visitor)).toBe(PHONE.width);
      await visitor.context.close();
    }
  });

  test('fits the first page on a phone when it loads in dark mode', async () => {
    const phone = await furnished.stage.visit({ scheme: 'dark', width: PHONE.width });
    await phone.context.addCookies(await furnished.operator.context.cookies());
    await phone.go('/operator');
    expect(await accessibilityViolations(phone.page)).toEqual([]);
    await expect.poll(() => widthOf(phone)).toBe(PHONE.width);
  });

  test('loads nothing from other origins and logs no errors on any page', () => {
    expect(furnished.stage.problems()).toEqual([]);
  });
});

/** Adds the customer parameter to account pages, because the viewer is an operator. */
function addressOf(pattern: string, { values, customerId }: Furnished): string {
  const path = filled(pattern, values);
  const isOfAccount = !/^\/(operator|security|welcome)/.test(pattern);
  return isOfAccount ? `${path}?customer=${customerId}` : path;
}

/** Returns the width of the page's content, including overflow. */
function widthOf({ page }: Visitor): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}
