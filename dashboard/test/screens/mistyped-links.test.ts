import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnish.ts';

/** Addresses of which a part is none that the screen knows, and what is left of them. */
const MISTYPED = [
  ['/operator/audit?from=yesterday&before=-4&act=key.', '?act=key.'],
  ['/operator/runs?before=abc&outcome=never', ''],
  ['/operator/quarantine?state=lost', ''],
  ['/operator/deliveries?state=lost&before=zz%20', null],
  ['/audit?to=2026-13-45', ''],
  ['/usage?range=custom&from=soon&by=minute', '?range=custom'],
  ['/calendar?date=soon&calendar=parties', ''],
  ['/requests?status=teapot&before=x', ''],
] as const;

describe.skipIf(hasNoBrowser)('a link that was mistyped', () => {
  let house: Furnished;

  beforeAll(async () => {
    house = await openFurnished();
  });
  afterAll(() => house.close());

  test.each(MISTYPED)('%s opens without what is no filter', async (link, left) => {
    const { page, go } = house.operator;
    const isOfAccount = !link.startsWith('/operator');
    const customer = `customer=${house.customerId}`;
    await go(isOfAccount ? `${link}&${customer}` : link);
    expect(await page.getByText(/could not be (?:shown|loaded)/i).count()).toBe(0);
    if (left === null) return;
    // The address follows what is shown.
    const stands = (): string => {
      const { searchParams } = new URL(page.url());
      searchParams.delete('customer');
      return String(searchParams);
    };
    await expect.poll(stands).toBe(left.slice(1));
  });

  test('a page that is not there is named so on its tab too', async () => {
    const { page } = house.operator;
    await page.goto(`${house.stage.service.url}/dashboard/operator/nowhere`);
    await page.getByText('There is no such page').waitFor();
    expect(await page.title()).toBe('No such page · Afterbell');
    expect(house.stage.troubles()).toEqual([]);
  });
});
