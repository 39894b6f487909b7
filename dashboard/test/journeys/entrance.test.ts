import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hindrances } from '../support/accessibility.ts';
import { type Authenticator, authenticatorFor } from '../support/authenticator.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { focused, tabTo } from '../support/focus.ts';
import {
  chooseInMenu,
  focusIsIn,
  pressOn,
  skipToScreen,
  typeHere,
  typeInto,
  typeOver,
} from '../support/keyboard.ts';
import { type Credentials, knock, signIn } from '../support/sign-in.ts';
import { openStage, OPERATOR, settled, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/**
 * One journey: each part begins where the one before it ended. The operator has no mouse until the
 * second factor is removed.
 */
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
    await typeAtDoor(operator, OPERATOR);

    await page.getByRole('heading', { name: 'Welcome to Afterbell' }).waitFor();
    await page.getByRole('button', { name: 'Make a new account' }).waitFor();
    await pressOn(page, /button "Make a new account"/);
    await page.getByLabel('Name of the account').waitFor();
    await typeInto(page, /textbox "Name of the account"/, 'Night Desk');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make the key' }).waitFor();
    await pressOn(page, /button "Make the key"/);
    // What took the button's place has the focus.
    await page.locator('[aria-label="The key that was made"]:focus').waitFor();
    const key = await page.getByLabel('the key', { exact: true }).innerText();
    await pressOn(page, /button "Send it"/);

    const answer = page.getByRole('region', { name: 'The answer' });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByText('"currentMarketStatus"').waitFor();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
    expect(await hindrances(page)).toEqual([]);

    await pressOn(page, /link "Overview of the account/);
    await page.getByRole('heading', { level: 1, name: 'Night Desk' }).waitFor();
    await settled(page);
    expect(await hindrances(page)).toEqual([]);
  });

  test('the printed address opens no second time', async () => {
    const late = { email: 'late@example.com', password: 'seven slow trains pass' };
    const { page } = laptop;
    await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
    await typeAtDoor(laptop, late);
    await page.getByRole('alert').waitFor();
    await page.goto(`${stage.service.url}/dashboard/sign-in`);
    await knock(laptop, late);
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
  });

  test('who signed out is nobody until the right password, and then where they wanted', async () => {
    const { page } = operator;
    await leave(operator);
    await page.goto(`${stage.service.url}/dashboard/operator/customers?search=Night`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await hindrances(page)).toEqual([]);
    await expect(callAs(operator, stage.service.url, 'customers-list', {})).rejects.toThrow(
      'not-signed-in',
    );

    await typeAtDoor(operator, { ...OPERATOR, password: 'four quiet herons leave' });
    await page.getByRole('alert').waitFor();
    await typeOver(page, OPERATOR.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Night Desk' }).waitFor();
    expect(new URL(page.url()).search).toBe('?search=Night');
  });

  test('a second factor is set up with a code of the shown secret, and asked from then on', async () => {
    const { page } = operator;
    await operator.go('/security');
    await skipToScreen(page);
    await pressOn(page, /button "Set it up"/);
    app = authenticatorFor(await page.getByLabel('the secret', { exact: true }).innerText());
    expect(await hindrances(page)).toEqual([]);
    await typeInto(page, /textbox "2. The code that the app shows now"/, '000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await typeOver(page, app.code());
    await page.keyboard.press('Enter');
    const codes = await page.getByLabel('the recovery codes', { exact: true }).innerText();
    [recoveryCode = ''] = codes.trim().split('\n');
    expect(await hindrances(page)).toEqual([]);
    await pressOn(page, /button "I have them"/);

    await leave(operator);
    await typeAtDoor(operator, OPERATOR);
    await typeCode(operator, app.code());
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('a recovery code opens once in place of the app', async () => {
    const { page } = operator;
    await leave(operator);
    await typeAtDoor(operator, OPERATOR);
    await typeCode(operator, recoveryCode);
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
    await skipToScreen(page);
    await pressOn(page, /button "Remove the second factor"/);
    await focusIsIn(page, 'Remove the second factor?');
    await pressOn(page, /button "Remove it"/);
    await page.getByRole('button', { name: 'Set it up' }).waitFor();

    await signIn(stage, laptop, OPERATOR);
    await laptop.go('/operator/customers?search=Night');
    await laptop.page.getByRole('button', { name: 'New customer' }).click();
    await laptop.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Never Made');

    await page.reload();
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true });
    const countSessions = async () => (await sessions.getByRole('row').count()) - 1;
    await expect.poll(countSessions).toBe(2);
    await sessions.getByRole('button', { name: /^End the session of/ }).click();
    await page.getByRole('button', { name: 'End it' }).click();
    await expect.poll(countSessions).toBe(1);

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

/** At a door: types an address and a password, and goes in. */
async function typeAtDoor({ page }: Visitor, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').waitFor();
  await typeInto(page, /textbox "E-mail"/, email);
  await tabTo(page, /textbox "Password"/, 1);
  await typeHere(page, password);
  await page.keyboard.press('Enter');
}

/** The field of the code has the focus as soon as it is there. */
async function typeCode({ page }: Visitor, code: string): Promise<void> {
  await expect.poll(() => focused(page)).toContain('textbox "Code"');
  await typeHere(page, code);
  await page.keyboard.press('Enter');
}

/** Signs out by the menu of the person. */
async function leave({ page }: Visitor): Promise<void> {
  await tabTo(page, /button ".*signed in as/);
  await chooseInMenu(page, /menuitem "Sign out"/);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
