import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { tabTo } from '../support/focus.ts';
import { choose, focusIsIn, pressOn, skipToScreen, typeHere } from '../support/keyboard.ts';
import { callAs } from '../support/management.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const NAME = 'Harbour Research';
const PASSWORD = 'nine brown moths sleep';

/** Each test continues from the previous one, using only the keyboard. */
describe.skipIf(hasNoBrowser)('a customer and its members', () => {
  let stage: Stage;
  let origin: string;
  let operator: Visitor;
  let owner: Visitor;
  let member: Visitor;
  let ownerLink: string;
  let memberKey: string;
  let customerId: string;
  /** The ID of the sandbox's customer, which is a different account. */
  let otherId: string;

  beforeAll(async () => {
    stage = await openStage();
    origin = stage.service.url;
    [operator, owner, member] = await Promise.all([stage.visit(), stage.visit(), stage.visit()]);
    await setUp(stage, operator);
    const { customers } = await callAs(operator, origin, 'customers-list', {});
    otherId = customers[0]?.id ?? 'none';
  });
  afterAll(() => stage.close());

  test('lets an operator create a customer and invite its owner', async () => {
    const { page } = operator;
    await operator.go('/operator/customers');
    await skipToScreen(page);
    await pressOn(page, /button "New customer"/);
    await focusIsIn(page, 'New customer');
    await typeHere(page, NAME);
    await choose(page, /"Plan"/, /^free$/);
    expect(await accessibilityViolations(page)).toEqual([]);
    await pressOn(page, /button "Create customer"/);
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
    await page.getByRole('heading', { name: 'Plan: free' }).waitFor();
    await settled(page);
    customerId = new URL(page.url()).pathname.split('/').at(-1) ?? 'none';

    // The first user in an account defaults to the owner role.
    await pressOn(page, /button "Invite"/);
    await focusIsIn(page, 'Invite member');
    const role = page.getByRole('combobox', { name: 'Role' });
    await expect.poll(() => role.inputValue()).toMatch(/^Owner/);
    await typeHere(page, 'olga@harbour.example');
    ownerLink = await takeLink(operator);
    expect(ownerLink.startsWith(`${origin}/dashboard/invitation#`)).toBe(true);
    await page.getByRole('table', { name: 'Pending invitations' }).getByText('olga@').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('admits the invited owner once through the link, and only to their own account', async () => {
    const { page } = owner;
    await join(owner, ownerLink);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
    await owner.go('/operator/customers');
    expect(new URL(page.url()).pathname).toBe('/dashboard/');
    await expect(callAs(owner, origin, 'customers-list', {})).rejects.toThrow('403');

    await owner.go(`/keys?customer=${otherId}`);
    await page.getByText('No API keys yet').waitFor();
    expect(await page.getByText('as an operator').count()).toBe(0);
    await expect(callAs(owner, origin, 'keys-list', {}, otherId)).rejects.toThrow('404');

    const late = await stage.visit();
    await late.page.goto(ownerLink);
    await late.page.getByRole('heading', { name: 'Invalid link' }).waitFor();
  });

  test('lets the owner invite a member, who has limited permissions', async () => {
    await owner.go('/team');
    expect(await accessibilityViolations(owner.page)).toEqual([]);
    await skipToScreen(owner.page);
    await pressOn(owner.page, /button "Invite"/);
    await focusIsIn(owner.page, 'Invite member');
    await typeHere(owner.page, 'max@harbour.example');
    await choose(owner.page, /"Role"/, /^Member/);
    await join(member, await takeLink(owner));

    const { page } = member;
    await member.go('/team');
    const people = page.getByRole('table', { name: 'Members' });
    await people.getByRole('row', { name: /max@harbour.example.*you.*member/ }).waitFor();
    await people.getByRole('row', { name: /olga@harbour.example.*owner/ }).waitFor();
    expect(await page.getByRole('button', { name: /^(Invite|Actions for|Revoke)/ }).count()).toBe(
      0,
    );
    expect(await accessibilityViolations(page)).toEqual([]);
    await member.go('/audit');
    await page.getByText('Only available to owners').waitFor();

    const body = { email: 'eve@harbour.example', role: 'owner' } as const;
    await expect(callAs(member, origin, 'people-invite', { body })).rejects.toThrow('403');
    await expect(callAs(member, origin, 'audit-list', {})).rejects.toThrow('403');
    const members = await callAs(member, origin, 'people-list', {});
    const olga = members.find(({ role }) => role === 'owner');
    const path = { personId: olga?.id ?? 'none' };
    await expect(callAs(member, origin, 'people-remove', { path })).rejects.toThrow('403');

    await member.go('/keys');
    await skipToScreen(page);
    await pressOn(page, /button "Create key"/);
    await focusIsIn(page, 'New API key');
    await typeHere(page, 'of Max');
    await page.keyboard.press('Enter');
    memberKey = await page.getByLabel('API key', { exact: true }).innerText();
    expect((await stage.service.get('/v1/market-status', memberKey)).status).toBe(200);
  });

  test('shows a plan change on the owner’s overview', async () => {
    await owner.go('/');
    await owner.page.getByRole('heading', { name: 'Plan: free' }).waitFor();
    await settled(owner.page);
    expect(await accessibilityViolations(owner.page)).toEqual([]);

    const { page } = operator;
    await operator.go(`/operator/customers/${customerId}`);
    await skipToScreen(page);
    await pressOn(page, /button "Change plan"/);
    await focusIsIn(page, `Change plan for ${NAME}`);
    await choose(page, /"Plan"/, /^pro$/);
    await pressOn(page, /button "Change plan"/);
    await page.getByRole('heading', { name: 'Plan: pro' }).waitFor();
    await owner.page.getByRole('heading', { name: 'Plan: pro' }).waitFor();
    expect((await callAs(owner, origin, 'account-read', {})).plan.name).toBe('pro');
  });

  test('lets the owner read and filter the audit log', async () => {
    const { page } = owner;
    await owner.go('/audit');
    for (const pattern of [/max@harbour\.example/, /of Max/, /pro/]) {
      await page.getByText(pattern).first().waitFor();
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await skipToScreen(page);
    await choose(page, /"Topic"/, /^API keys$/);
    const events = page.getByRole('region', { name: 'Events, newest first' });
    await expect.poll(() => events.getByRole('row').count()).toBe(2);
    await events.getByText(/created API key of Max/).waitFor();
    await tabTo(page, /"To"/);
    // A date is typed part by part, in the format that the browser uses.
    await page.keyboard.type('01012001');
    // Every digit typed for the year yields a valid date, but the complete date must end up in the
    // URL.
    await expect.poll(() => new URL(page.url()).search).toBe('?act=key.&to=2001-01-01');
    await page.getByText('No matching events').waitFor();
  });

  test('shows the keys of a removed member and revokes them', async () => {
    const { page } = owner;
    await owner.go('/team');
    await page.getByRole('button', { name: 'Actions for max@harbour.example' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('list', { name: 'API keys of the user' }).getByText('of Max').waitFor();
    await expect.poll(() => dialog.getByRole('checkbox').isChecked()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('max@harbour.example').waitFor({ state: 'detached' });
    expect((await stage.service.get('/v1/market-status', memberKey)).status).toBe(401);
  });

  test('completes with no browser errors on any page', () => {
    expect(stage.problems()).toEqual([]);
  });
});

/** Creates an invitation link with the form and copies it. */
async function takeLink({ page, context }: Visitor): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await pressOn(page, /button "Create link"/);
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pressOn(page, /button "Copy link"/);
  await page.getByRole('button', { name: 'link copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await pressOn(page, /button "Done"/);
  return link;
}

/** Opens an invitation link and sets a password, using only the keyboard. */
async function join({ page }: Visitor, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'Accept invitation' }).waitFor();
  await tabTo(page, /textbox "Password"/);
  await typeHere(page, PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
