import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNoBrowser } from '../support/browser.ts';
import { openStage, type Stage, type Visitor } from '../support/stage.ts';

const PHONE = 390;

describe.skipIf(hasNoBrowser)('the public pages', () => {
  let stage: Stage;
  let visitor: Visitor;

  beforeAll(async () => {
    stage = await openStage();
    visitor = await stage.visit({ width: PHONE });
  });
  afterAll(() => stage.close());

  test('fits all public pages on a phone, including every guide', async () => {
    const { page } = visitor;
    const wide: string[] = [];
    const paths = ['/', '/status', '/errors', '/errors/rate-limited', '/guides'];
    for (const path of [...paths, ...(await guides())]) {
      await page.goto(`${stage.service.url}${path}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > PHONE) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
  });

  test('sends the API key in a header from the API reference', async () => {
    const { page } = visitor;
    await page.goto(`${stage.service.url}/docs`);
    await page.getByText('Selected Auth Type: apiKeyInHeader').first().waitFor();
    expect(stage.problems()).toEqual([]);
  });

  /** Returns the paths of all guides in the index. */
  async function guides(): Promise<string[]> {
    const { page } = visitor;
    await page.goto(`${stage.service.url}/guides`);
    const paths = await page
      .locator('main a[href^="/guides/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(10);
    return paths;
  }
});
