import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnished-stage.ts';

/** Links with invalid search parameters, and the search that remains. */
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

describe.skipIf(hasNoBrowser)('a mistyped link', () => {
  let house: Furnished;

  beforeAll(async () => {
    house = await openFurnished();
  });
  afterAll(() => house.close());

  test.each(MISTYPED)('%s opens without its invalid parameters', async (link, left) => {
    const { page, go } = house.operator;
    const isOfAccount = !link.startsWith('/operator');
    const customer = `customer=${house.customerId}`;
    await go(isOfAccount ? `${link}&${customer}` : link);
    expect(await page.getByText(/couldn’t (?:be loaded|load)/i).count()).toBe(0);
    if (left === null) return;
    // The URL is updated after the page is shown.
    const stands = (): string => {
      const { searchParams } = new URL(page.url());
      searchParams.delete('customer');
      return String(searchParams);
    };
    await expect.poll(stands).toBe(left.slice(1));
  });

  test('shows a not-found page with a title', async () => {
    const { page } = house.operator;
    await page.goto(`${house.stage.service.url}/dashboard/operator/nowhere`);
    await page.getByText('Page not found').waitFor();
    expect(await page.title()).toBe('Page not found · Afterbell');
    expect(house.stage.troubles()).toEqual([]);
  });
});
