import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { type Furnished, openFurnished } from '../support/furnished-stage.ts';

/** Links with invalid search parameters, each with the search string that remains. */
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
  let furnished: Furnished;

  beforeAll(async () => {
    furnished = await openFurnished();
  });
  afterAll(() => furnished.close());

  test.each(MISTYPED)('opens %s without its invalid parameters', async (link, expectedSearch) => {
    const { page, go } = furnished.operator;
    const isOfAccount = !link.startsWith('/operator');
    const customer = `customer=${furnished.customerId}`;
    await go(isOfAccount ? `${link}&${customer}` : link);
    expect(await page.getByText(/couldn’t (?:be loaded|load)/i).count()).toBe(0);
    if (expectedSearch === null) return;
    // The URL is updated only after the page is shown, so it is polled.
    const currentSearch = (): string => {
      const { searchParams } = new URL(page.url());
      searchParams.delete('customer');
      return String(searchParams);
    };
    await expect.poll(currentSearch).toBe(expectedSearch.slice(1));
  });

  test('shows a not-found page with its own title for an unknown path', async () => {
    const { page } = furnished.operator;
    await page.goto(`${furnished.stage.service.url}/dashboard/operator/nowhere`);
    await page.getByText('Page not found').waitFor();
    expect(await page.title()).toBe('Page not found · Afterbell');
    expect(furnished.stage.problems()).toEqual([]);
  });
});
