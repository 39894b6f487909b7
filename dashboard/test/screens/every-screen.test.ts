import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hindrances, OF_COLOURS } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { openFurnished } from '../support/furnish.ts';
import type { Furnished } from '../support/furnish.ts';
import { filled, screens } from '../support/screens.ts';
import type { Visitor } from '../support/stage.ts';
import { IN_SESSION } from '../support/trading-day.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const PHONE = 390;
const { inside, door } = screens();

describe.skipIf(hasNoBrowser)('every screen', () => {
  let house: Furnished;
  let light: Visitor;
  let dark: Visitor;
  let phone: Visitor;

  beforeAll(async () => {
    // A day with a session, whatever day it is today: other things are shown then.
    house = await openFurnished({ NOW: IN_SESSION });
    light = house.operator;
    dark = await sameAs(house, { scheme: 'dark' });
    phone = await sameAs(house, { width: PHONE });
  });
  afterAll(() => house.close());

  test('is found by its route file', () => {
    expect(inside.length + door.length).toBeGreaterThan(30);
    expect(inside).toContain('/webhooks/$endpointId');
  });

  test.each(inside)('%s hinders nobody, light or dark, and fits a phone', async (pattern) => {
    const address = addressOf(pattern, house);
    await light.go(address);
    expect(await hindrances(light.page)).toEqual([]);
    await dark.go(address);
    expect(await hindrances(dark.page, OF_COLOURS)).toEqual([]);
    await phone.go(address);
    expect(await widthOf(phone)).toBe(PHONE);
  });

  test.each(door)('%s, in front of the door, too', async (address) => {
    for (const scheme of ['light', 'dark'] as const) {
      const visitor = await house.stage.visit({ scheme, width: PHONE });
      await visitor.go(address);
      expect(await hindrances(visitor.page)).toEqual([]);
      expect(await widthOf(visitor)).toBe(PHONE);
      await visitor.context.close();
    }
  });

  test('loads nothing from elsewhere and says nothing bad to the console', () => {
    expect(house.stage.troubles()).toEqual([]);
  });
});

/** Another window of the same person. */
async function sameAs(
  { stage, operator }: Furnished,
  options: { scheme?: 'dark'; width?: number },
): Promise<Visitor> {
  const visitor = await stage.visit(options);
  await visitor.context.addCookies(await operator.context.cookies());
  return visitor;
}

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
