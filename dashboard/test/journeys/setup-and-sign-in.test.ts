import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { type Authenticator, authenticatorFor } from '../support/authenticator.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { focused, tabTo } from '../support/focus.ts';
import {
  chooseInMenu,
  pressOn,
  skipToScreen,
  typeHere,
  typeInto,
  typeOver,
} from '../support/keyboard.ts';
import { type Credentials, submitSignIn, signIn } from '../support/sign-in.ts';
import { openStage, OPERATOR, settled, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/**
 * Each test continues from the previous one. The operator uses only the keyboard until two-factor
 * authentication is disabled.
 */
describe.skipIf(hasNoBrowser)('setup and sign-in', () => {
  let stage: Stage;
  let operator: Visitor;
  let laptop: Visitor;
  let app: Authenticator;
  let recoveryCode: string;
  let spareCode: string;

  beforeAll(async () => {
    stage = await openStage();
    operator = await stage.visit();
    laptop = await stage.visit();
  });
  afterAll(() => stage.close());

  test('leads an operator from the printed link to an account, an API key, and the first response', async () => {
    const { page } = operator;
    await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
    await page.getByRole('heading', { name: 'Set up your service' }).waitFor();
    expect(page.url()).not.toContain(stage.setupToken);
    expect(await accessibilityViolations(page)).toEqual([]);
    await typeAtDoor(operator, OPERATOR);

    await page.getByRole('heading', { name: 'Welcome to Afterbell' }).waitFor();
    await page.getByRole('button', { name: 'Create a new account' }).waitFor();
    await pressOn(page, /button "Create a new account"/);
    await page.getByLabel('Account name').waitFor();
    await typeInto(page, /textbox "Account name"/, 'Night Desk');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await pressOn(page, /button "Create key"/);
    // The element that replaced the button now has the focus.
    await page.locator('[aria-label="New API key"]:focus').waitFor();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    await pressOn(page, /button "Send request"/);

    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByText('"currentMarketStatus"').waitFor();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
    expect(await accessibilityViolations(page)).toEqual([]);

    await pressOn(page, /link "Account overview/);
    await page.getByRole('heading', { level: 1, name: 'Night Desk' }).waitFor();
    await settled(page);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('rejects a second use of the printed setup link', async () => {
    const late = { email: 'late@example.com', password: 'seven slow trains pass' };
    const { page } = laptop;
    await page.goto(`${stage.service.url}/dashboard/set-up#${stage.setupToken}`);
    await typeAtDoor(laptop, late);
    await page.getByRole('alert').waitFor();
    await page.goto(`${stage.service.url}/dashboard/sign-in`);
    await submitSignIn(laptop, late);
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in');
  });

  test('returns to the requested page after signing in with the correct password', async () => {
    const { page } = operator;
    await leave(operator);
    await page.goto(`${stage.service.url}/dashboard/operator/customers?search=Night`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
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

  test('enables two-factor authentication and then asks for a code at every sign-in', async () => {
    const { page } = operator;
    await operator.go('/security');
    await skipToScreen(page);
    await pressOn(page, /button "Set up"/);
    app = authenticatorFor(await page.getByLabel('secret', { exact: true }).innerText());
    expect(await accessibilityViolations(page)).toEqual([]);
    await typeInto(page, /textbox "2. Enter the code from the app"/, '000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await typeOver(page, app.code());
    await page.keyboard.press('Enter');
    const codes = await page.getByLabel('recovery codes', { exact: true }).innerText();
    [recoveryCode = '', spareCode = ''] = codes.trim().split('\n');
    expect(await accessibilityViolations(page)).toEqual([]);
    await pressOn(page, /button "Done"/);

    await leave(operator);
    await typeAtDoor(operator, OPERATOR);
    await typeCode(operator, app.code());
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  test('accepts a recovery code once in place of a code from the app', async () => {
    const { page } = operator;
    await leave(operator);
    await typeAtDoor(operator, OPERATOR);
    await typeCode(operator, recoveryCode);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await operator.go('/security');
    await page.getByText(/9 recovery codes left/).waitFor();

    await laptop.page.goto(`${stage.service.url}/dashboard/sign-in`);
    await submitSignIn(laptop, OPERATOR);
    await laptop.page.getByLabel('Code').fill(recoveryCode);
    await laptop.page.getByRole('button', { name: 'Verify' }).click();
    await laptop.page.getByRole('alert').waitFor();
  });

  test('redirects to sign-in when the session was ended, and back afterwards', async () => {
    const { page } = operator;
    await skipToScreen(page);
    await pressOn(page, /button "Disable two-factor authentication"/);
    await typeInto(page, /textbox "Code from your authenticator app"/, spareCode);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Set up' }).waitFor();

    await signIn(stage, laptop, OPERATOR);
    await laptop.go('/operator/customers?search=Night');
    await laptop.page.getByRole('button', { name: 'New customer' }).click();
    await laptop.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Never Made');

    await page.reload();
    const sessions = page.getByRole('region', { name: 'Active sessions', exact: true });
    const countSessions = async () => (await sessions.getByRole('row').count()) - 1;
    await expect.poll(countSessions).toBe(2);
    await sessions.getByRole('button', { name: /^Revoke session of/ }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect.poll(countSessions).toBe(1);

    // Polling may have already redirected the page to sign-in. The key press then does nothing.
    await laptop.page.keyboard.press('Enter');
    await laptop.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await submitSignIn(laptop, OPERATOR);
    await laptop.page.getByRole('link', { name: 'Night Desk' }).waitFor();
    expect(new URL(laptop.page.url()).search).toBe('?search=Night');
    const { customers } = await callAs(laptop, stage.service.url, 'customers-list', {});
    expect(customers.map(({ name }) => name)).not.toContain('Never Made');
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});

/** Signs in or signs up by keyboard. */
async function typeAtDoor({ page }: Visitor, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').waitFor();
  await typeInto(page, /textbox "Email"/, email);
  await tabTo(page, /textbox "Password"/, 1);
  await typeHere(page, password);
  await page.keyboard.press('Enter');
}

/** Types into the code field, which gets the focus automatically. */
async function typeCode({ page }: Visitor, code: string): Promise<void> {
  await expect.poll(() => focused(page)).toContain('textbox "Code"');
  await typeHere(page, code);
  await page.keyboard.press('Enter');
}

/** Signs out through the user menu. */
async function leave({ page }: Visitor): Promise<void> {
  await tabTo(page, /button ".*signed in as/);
  await chooseInMenu(page, /menuitem "Sign out"/);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}
