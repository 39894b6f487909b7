import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hindrances } from '../support/accessibility.ts';
import { authenticatorFor } from '../support/authenticator.ts';
import type { Authenticator } from '../support/authenticator.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { knock, signIn, signOut } from '../support/sign-in.ts';
import { openStage, OPERATOR, settled } from '../support/stage.ts';
import type { Stage, Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** One journey: each part begins where the one before it ended. */
describe.skipIf(hasNoBrowser)('the entrance', () => {
  let stage: Stage;
  let operator: Visitor;
  let laptop: Visitor;
  let app: Authenticator;
  let recoveryCode: string;

  beforeAll(async () => {
    stage = await openStage();
    operator = await stage.visit();
    laptop = await stage.visit();
  });
  afterAll(() => stage.close());

  test('the printed address leads to an account, a key and the first answer', async () => {
    const { page } = operator;
    await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
    await page.getByRole('heading', { name: 'Set up your service' }).waitFor();
    expect(page.url()).not.toContain(stage.setupToken);
    expect(await hindrances(page)).toEqual([]);
    await chooseDoor(operator, OPERATOR);

    await page.getByRole('heading', { name: 'Welcome to Afterbell' }).waitFor();
    await page.getByRole('button', { name: 'Make a new account' }).click();
    await page.getByLabel('Name of the account').fill('Night Desk');
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = await page.getByLabel('the key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Send it' }).click();

    const answer = page.getByRole('region', { name: 'The answer' });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByText('"currentMarketStatus"').waitFor();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
    expect(await hindrances(page)).toEqual([]);

    await page.getByRole('link', { name: 'Overview of the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Night Desk' }).waitFor();
    await settled(page);
    expect(await hindrances(page)).toEqual([]);
  });

  test('the printed address opens no second time', async () => {
    const late = { email: 'late@example.com', password: 'seven slow trains pass' };
    const { page } = laptop;
    await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
    await chooseDoor(laptop, late);
    await page.getByRole('alert').waitFor();
    await page.goto(`${stage.service.url}/dashboard/sign-in`);
    await knock(laptop, late);
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
  });

  test('who signed out is nobody until the right password, and then where they wanted', async () => {
    const { page } = operator;
    await signOut(operator);
    await page.goto(`${stage.service.url}/dashboard/operator/customers?search=Night`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await expect(callAs(operator, stage.service.url, 'customers-list', {})).rejects.toThrow(
      'not-signed-in',
    );

    await knock(operator, { ...OPERATOR, password: 'four quiet herons leave' });
    await page.getByRole('alert').waitFor();
    await knock(operator, OPERATOR);
    await page.getByRole('link', { name: 'Night Desk' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=Night');
  });

  test('a second factor is set up with a code of the shown secret, and asked from then on', async () => {
    const { page } = operator;
    await operator.go('/security');
    await page.getByRole('button', { name: 'Set it up' }).click();
    app = authenticatorFor(await page.getByLabel('the secret', { exact: true }).innerText());
    expect(await hindrances(page)).toEqual([]);
    const code = page.getByLabel('The code that the app shows now');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('alert').waitFor();
    await code.fill(app.code());
    await page.getByRole('button', { name: 'Turn it on' }).click();
    const codes = await page.getByLabel('the recovery codes', { exact: true }).innerText();
    [recoveryCode = ''] = codes.trim().split('\n');
    expect(await hindrances(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have them' }).click();

    await signOut(operator);
    await knock(operator, OPERATOR);
    await page.getByLabel('Code').fill(app.code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a recovery code opens once in place of the app', async () => {
    const { page } = operator;
    await signOut(operator);
    await knock(operator, OPERATOR);
    await page.getByLabel('Code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await operator.go('/security');
    await page.getByText(/9 recovery codes are left/).waitFor();

    await laptop.page.goto(`${stage.service.url}/dashboard/sign-in`);
    await knock(laptop, OPERATOR);
    await laptop.page.getByLabel('Code').fill(recoveryCode);
    await laptop.page.getByRole('button', { name: 'Confirm' }).click();
    await laptop.page.getByRole('alert').waitFor();
  });

  test('a browser whose session was ended is at the door at its next act, and comes back', async () => {
    const { page } = operator;
    await page.getByRole('button', { name: 'Remove the second factor' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Set it up' }).waitFor();

    await signIn(stage, laptop, OPERATOR);
    await laptop.go('/operator/customers?search=Night');
    await laptop.page.getByRole('button', { name: 'New customer' }).click();
    await laptop.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Never Made');

    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    const countSessions = async () => (await sessions.getByRole('row').count()) - 1;
    await expect.poll(countSessions, { timeout: 30_000 }).toBe(2);
    await sessions.getByRole('button', { name: /^End the session of/ }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await expect.poll(countSessions, { timeout: 30_000 }).toBe(1);

    // Its clock may have brought it to the door by itself: then the key does nothing there.
    await laptop.page.keyboard.press('Enter');
    await laptop.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await knock(laptop, OPERATOR);
    await laptop.page.getByRole('link', { name: 'Night Desk' }).waitFor();
    expect(new URL(laptop.page.url()).search).toBe('?search=Night');
    const { customers } = await callAs(laptop, stage.service.url, 'customers-list', {});
    expect(customers.map(({ name }) => name)).not.toContain('Never Made');
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });
});

/** Fills in the door of set-up. */
async function chooseDoor(
  { page }: Visitor,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Set up' }).click();
}
