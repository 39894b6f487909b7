import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hindrances } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { tabTo } from '../support/focus.ts';
import { choose, focusIsIn, pressOn, skipToScreen, typeHere } from '../support/keyboard.ts';
import { callAs } from '../support/management.ts';
import { openStage, settled, setUp, type Stage, type Visitor } from '../support/stage.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const NAME = 'Harbour Research';
const PASSWORD = 'nine brown moths sleep';

/** One journey: each part begins where the one before it ended. It is walked without a mouse. */
describe.skipIf(hasNoBrowser)('a customer and its people', () => {
  let stage: Stage;
  let origin: string;
  let operator: Visitor;
  let owner: Visitor;
  let member: Visitor;
  let ownerLink: string;
  let customerId: string;
  /** The sandbox's own customer: somebody else. */
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

  test('an operator adds a customer on the free plan and gets a link for its owner', async () => {
    const { page } = operator;
    await operator.go('/operator/customers');
    await skipToScreen(page);
    await pressOn(page, /button "New customer"/);
    await focusIsIn(page, 'New customer');
    await typeHere(page, NAME);
    await choose(page, /"Plan"/, /^free$/);
    expect(await hindrances(page)).toEqual([]);
    await pressOn(page, /button "Add the customer"/);
    await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
    await page.getByRole('heading', { name: 'Plan free' }).waitFor();
    await settled(page);
    customerId = new URL(page.url()).pathname.split('/').at(-1) ?? 'none';

    // Whoever comes first is offered as the owner.
    await pressOn(page, /button "Invite"/);
    await focusIsIn(page, 'Invite somebody');
    const role = page.getByRole('combobox', { name: 'Role' });
    await expect.poll(() => role.inputValue()).toMatch(/^Owner/);
    await typeHere(page, 'olga@harbour.example');
    ownerLink = await takeLink(operator);
    expect(ownerLink.startsWith(`${origin}/dashboard/invitation#`)).toBe(true);
    await page
      .getByRole('table', { name: 'Invitations that still open' })
      .getByText('olga@')
      .waitFor();
    expect(await hindrances(page)).toEqual([]);
  });

  test('the owner comes in by the link, once, and sees the own account and nothing else', async () => {
    const { page } = owner;
    await join(owner, ownerLink);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0);
    await owner.go('/operator/customers');
    expect(new URL(page.url()).pathname).toBe('/dashboard/');
    await expect(callAs(owner, origin, 'customers-list', {})).rejects.toThrow('403');

    await owner.go(`/keys?customer=${otherId}`);
    await page.getByText('No key yet').waitFor();
    expect(await page.getByText('as an operator').count()).toBe(0);
    await expect(callAs(owner, origin, 'keys-list', {}, otherId)).rejects.toThrow('404');

    const late = await stage.visit();
    await late.page.goto(ownerLink);
    await late.page.getByRole('heading', { name: 'This link does not open' }).waitFor();
  });

  test('the owner invites a member, who does what members do and nothing more', async () => {
    await owner.go('/team');
    expect(await hindrances(owner.page)).toEqual([]);
    await skipToScreen(owner.page);
    await pressOn(owner.page, /button "Invite"/);
    await focusIsIn(owner.page, 'Invite somebody');
    await typeHere(owner.page, 'max@harbour.example');
    await choose(owner.page, /"Role"/, /^Member/);
    await join(member, await takeLink(owner));

    const { page } = member;
    await member.go('/team');
    const people = page.getByRole('table', { name: 'People of the account' });
    await people.getByRole('row', { name: /max@harbour.example.*you.*member/ }).waitFor();
    await people.getByRole('row', { name: /olga@harbour.example.*owner/ }).waitFor();
    expect(await page.getByRole('button', { name: /^(Invite|Acts for|Withdraw)/ }).count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);
    await member.go('/audit');
    await page.getByText('For owners of the account').waitFor();

    const body = { email: 'eve@harbour.example', role: 'owner' } as const;
    await expect(callAs(member, origin, 'people-invite', { body })).rejects.toThrow('403');
    await expect(callAs(member, origin, 'audit-list', {})).rejects.toThrow('403');
    const all = await callAs(member, origin, 'people-list', {});
    const olga = all.find(({ role }) => role === 'owner');
    const path = { personId: olga?.id ?? 'none' };
    await expect(callAs(member, origin, 'people-remove', { path })).rejects.toThrow('403');

    await member.go('/keys');
    await skipToScreen(page);
    await pressOn(page, /button "Make the first key"/);
    await focusIsIn(page, 'New key');
    await typeHere(page, 'of Max');
    await page.keyboard.press('Enter');
    const key = await page.getByLabel('the key', { exact: true }).innerText();
    expect((await stage.service.get('/v1/market-status', key)).status).toBe(200);
  });

  test('a changed plan stands on the owner’s overview by itself, and holds', async () => {
    await owner.go('/');
    await owner.page.getByRole('heading', { name: 'Plan free' }).waitFor();
    await settled(owner.page);
    expect(await hindrances(owner.page)).toEqual([]);

    const { page } = operator;
    await operator.go(`/operator/customers/${customerId}`);
    await skipToScreen(page);
    await pressOn(page, /button "Change the plan"/);
    await focusIsIn(page, `Plan of ${NAME}`);
    await choose(page, /"Plan"/, /^pro$/);
    await pressOn(page, /button "Change the plan"/);
    await page.getByRole('heading', { name: 'Plan pro' }).waitFor();
    await owner.page.getByRole('heading', { name: 'Plan pro' }).waitFor();
    expect((await callAs(owner, origin, 'account-read', {})).plan.name).toBe('pro');
  });

  test('the owner reads in the audit who did what, and narrows it to what one looks for', async () => {
    const { page } = owner;
    await owner.go('/audit');
    for (const said of [/max@harbour\.example/, /of Max/, /pro/]) {
      await page.getByText(said).first().waitFor();
    }
    expect(await hindrances(page)).toEqual([]);
    await skipToScreen(page);
    await choose(page, /"About"/, /^Keys$/);
    const acts = page.getByRole('region', { name: 'Acts, the newest first' });
    await expect.poll(() => acts.getByRole('row').count()).toBe(2);
    await acts.getByText(/made the key of Max/).waitFor();
    await tabTo(page, /"To"/);
    // A date is typed part by part, and stands there in another form.
    await page.keyboard.type('01012001');
    // Each digit of the year makes a date by itself.
    await expect.poll(() => new URL(page.url()).search).toBe('?act=key.&to=2001-01-01');
    await page.getByText('No act is like that').waitFor();
  });

  test('nothing went wrong in any page', () => {
    expect(stage.troubles()).toEqual([]);
  });
});

/** In the form of an invitation: makes the link, and takes it away as its button copies it. */
async function takeLink({ page, context }: Visitor): Promise<string> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await pressOn(page, /button "Make the link"/);
  await page.getByRole('button', { name: 'Copy the link' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await pressOn(page, /button "Copy the link"/);
  await page.getByRole('button', { name: 'the link copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await pressOn(page, /button "I have it"/);
  return link;
}

/** Opens a link that was handed over, chooses a password and comes in. */
async function join({ page }: Visitor, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('heading', { name: 'You are invited' }).waitFor();
  await tabTo(page, /textbox "Password"/);
  await typeHere(page, PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}
