import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hindrances } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { openStage, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { aWhileLater, IN_SESSION } from '../support/trading-day.ts';

const NOTE = 'The service does not answer. What stands here may be old; this page goes on asking.';

describe.skipIf(hasNoBrowser)('a service that goes away while one looks', () => {
  let stage: Stage;
  let operator: Visitor;

  beforeAll(async () => {
    stage = await openStage({ NOW: IN_SESSION });
    operator = await stage.visit();
    await setUp(stage, operator);
    await operator.go('/operator');
  });
  afterAll(() => stage.close());

  test('leaves what was there, and the page says that it is old', async () => {
    const { page, context } = operator;
    expect(await page.getByText(NOTE).count()).toBe(0);
    await context.setOffline(true);
    await aWhileLater(operator);
    await page.getByText(NOTE).waitFor();
    await page.getByRole('banner').getByText('Market open').waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  test('refuses what one does then, so that no button waits without a word', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: /signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('The service did not answer.').waitFor();
  });

  test('is asked on, and the word goes when it answers', async () => {
    const { page, context } = operator;
    await context.setOffline(false);
    await aWhileLater(operator);
    await page.getByText(NOTE).waitFor({ state: 'detached' });
    expect(stage.troubles()).toEqual([]);
  });

  test('takes its time, and the page says that it waits', async () => {
    const { page } = operator;
    const mayGoOn = Promise.withResolvers<void>();
    await page.route('**/account/**', async (route) => {
      await mayGoOn.promise;
      await route.continue();
    });
    await page.goto(`${stage.service.url}/dashboard/operator`);
    await page.getByText('Waiting for the service').waitFor();
    mayGoOn.resolve();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
