import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { openStage, setUp, type Stage, type Visitor } from '../support/stage.ts';
import { aWhileLater, IN_SESSION } from '../support/trading-day.ts';

const NOTE = 'The service isn’t responding. This data may be outdated. Retrying…';

describe.skipIf(hasNoBrowser)('an unreachable service', () => {
  let stage: Stage;
  let operator: Visitor;

  beforeAll(async () => {
    stage = await openStage({ NOW: IN_SESSION });
    operator = await stage.visit();
    await setUp(stage, operator);
    await operator.go('/operator');
  });
  afterAll(() => stage.close());

  test('keeps the data on the page when the service is unreachable, and marks it as outdated', async () => {
    const { page, context } = operator;
    expect(await page.getByText(NOTE).count()).toBe(0);
    await context.setOffline(true);
    await aWhileLater(operator);
    await page.getByText(NOTE).waitFor();
    await page.getByRole('banner').getByText('Market open').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('reports an action that failed because the service is unreachable', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: /signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('The service didn’t respond.').waitFor();
  });

  test('removes the connection banner when the service responds again', async () => {
    const { page, context } = operator;
    await context.setOffline(false);
    await aWhileLater(operator);
    await page.getByText(NOTE).waitFor({ state: 'detached' });
    expect(stage.problems()).toEqual([]);
  });

  test('shows a loading state while the service responds slowly', async () => {
    const { page } = operator;
    const mayGoOn = Promise.withResolvers<void>();
    await page.route('**/account/**', async (route) => {
      await mayGoOn.promise;
      await route.continue();
    });
    await page.goto(`${stage.service.url}/dashboard/operator`);
    await page.getByText('Loading…').waitFor();
    mayGoOn.resolve();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
