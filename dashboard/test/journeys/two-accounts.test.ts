import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { acceptInvitation } from '../support/accept-invitation.ts';
import { type Authenticator, authenticatorFor } from '../support/authenticator.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { callAs } from '../support/management.ts';
import { signOut, submitSignIn } from '../support/sign-in.ts';
import { openStage, setUp, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const EMAIL = 'ada@harbour.example';
const PASSWORD = 'nine brown moths sleep';

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('a person in two accounts', () => {
  let stage: Stage;
  let operator: Visitor;
  let ada: Visitor;
  let app: Authenticator;
  /** Used where two codes of the app are used up already, because the third comes too early. */
  let recoveryCode = 'none was shown';
  const ids = new Map<string, string>();

  beforeAll(async () => {
    stage = await openStage();
    [operator, ada] = await Promise.all([stage.visit(), stage.visit()]);
    await setUp(stage, operator);
    for (const name of ['Harbour', 'Lighthouse', 'Meadow']) {
      const body = { name, plan: 'free' };
      const { id } = await callAs(operator, stage.service.url, 'customers-create', { body });
      ids.set(name, id);
    }
    await acceptInvitation(ada, await invitedTo('Harbour'), PASSWORD);
  });
  afterAll(() => stage.close());

  async function invitedTo(name: string): Promise<string> {
    const body = { email: EMAIL, role: 'member' } as const;
    const invitation = await callAs(
      operator,
      stage.service.url,
      'people-invite',
      { body },
      ids.get(name),
    );
    return invitation.link;
  }
  const shown = async () =>
    (await callAs(ada, stage.service.url, 'session-read', {})).customer?.name ?? null;

  test('joins a second account by signing in with the second factor', async () => {
    const { page } = ada;
    const secret = await callAs(ada, stage.service.url, 'second-factor-begin', {});
    app = authenticatorFor(secret.secret);
    const body = { code: app.code() };
    const confirmed = await callAs(ada, stage.service.url, 'second-factor-confirm', { body });
    recoveryCode = confirmed.recoveryCodes[0] ?? recoveryCode;
    await ada.go('/');
    await signOut(ada);

    await page.goto(await invitedTo('Lighthouse'));
    await page.getByText('is invited to the account Lighthouse').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByText('I have an account').click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in and join' }).click();
    await page.getByLabel('Code').fill(app.code());
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await shown()).toBe('Lighthouse');
  });

  test('joins another account with the session of the browser', async () => {
    const { page } = ada;
    await page.goto(await invitedTo('Meadow'));
    await page.getByRole('button', { name: `Join as ${EMAIL}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await shown()).toBe('Meadow');
  });

  test('switches between the accounts in the user menu, each with its own keys', async () => {
    const { page } = ada;
    await callAs(ada, stage.service.url, 'keys-create', { body: { name: 'of Meadow' } });
    await ada.go('/keys');
    await page.getByText('of Meadow').waitFor();
    await page.getByRole('button', { name: /signed in as/ }).click();
    const current = page.locator('[role=menuitem][aria-current=true]');
    await expect.poll(() => current.innerText()).toContain('Meadow');
    await page.getByRole('menuitem', { name: /Harbour/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await expect.poll(shown).toBe('Harbour');
    await ada.go('/keys');
    await page.getByText('No API keys yet').waitFor();
  });

  test('keeps the other accounts after one disables the person', async () => {
    const { page } = ada;
    const customerId = ids.get('Harbour');
    const people = await callAs(operator, stage.service.url, 'people-list', {}, customerId);
    const path = { personId: people[0]?.id ?? 'none' };
    await callAs(
      operator,
      stage.service.url,
      'people-update',
      { path, body: { enabled: false } },
      customerId,
    );
    await page.goto(`${stage.service.url}/dashboard/keys`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await submitSignIn(ada, { email: EMAIL, password: PASSWORD });
    await page.getByLabel('Code').fill(recoveryCode);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('of Meadow').waitFor();
    await page.getByRole('button', { name: /signed in as/ }).click();
    await page.getByRole('menuitem', { name: /Lighthouse/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: /Harbour/ }).count()).toBe(0);
    expect(stage.problems()).toEqual([]);
  });
});
