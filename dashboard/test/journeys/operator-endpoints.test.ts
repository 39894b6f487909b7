import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptInvitation } from '../support/accept-invitation.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { openTab } from '../support/endpoints.ts';
import { type Furnished, openFurnished } from '../support/furnished-stage.ts';
import { callAs } from '../support/management.ts';
import type { Visitor } from '../support/stage.ts';

/** Each test continues from the previous one. */
describe.skipIf(hasNoBrowser)('an endpoint disabled by its owner', () => {
  let furnished: Furnished;
  let owner: Visitor;
  let path: string;

  beforeAll(async () => {
    furnished = await openFurnished();
    const { stage, operator, customerId, values } = furnished;
    const origin = stage.service.url;
    const body = { email: 'olga@harbour.example', role: 'owner' } as const;
    const { link } = await callAs(operator, origin, 'people-invite', { body }, customerId);
    owner = await stage.visit();
    await acceptInvitation(owner, link, 'nine brown moths sleep');
    const endpointId = values['endpointId'] ?? 'none';
    path = `/webhooks/${endpointId}?tab=settings`;
    const change = { path: { endpointId }, body: { enabled: false } };
    await callAs(owner, origin, 'webhooks-update', change);
  });
  afterAll(() => furnished.close());

  test('lets an operator take over an endpoint that its owner disabled', async () => {
    const { page, go } = furnished.operator;
    await go(`${path}&customer=${furnished.customerId}`);
    await page.getByRole('button', { name: 'Disable as operator' }).click();
    const question = page.getByRole('dialog', { name: 'Disable night desk as operator?' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText(/disabled by an operator, and only an operator can enable it/).waitFor();
    expect(await page.getByRole('button', { name: /^Disable/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
  });

  test('offers the owner no action on an endpoint that only an operator can enable', async () => {
    const { page, go } = owner;
    await go(path);
    await page.getByText(/disabled by an operator, and only an operator can enable it/).waitFor();
    expect(await page.getByRole('button', { name: /^(?:Enable|Disable)/ }).count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('lets an operator enable an endpoint and its owner then disable it again', async () => {
    await furnished.operator.page.getByRole('button', { name: 'Enable', exact: true }).click();
    await furnished.operator.page.getByRole('heading', { name: 'Disable endpoint' }).waitFor();
    await owner.go(path);
    await openTab(owner, 'Settings');
    await owner.page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    expect(furnished.stage.problems()).toEqual([]);
  });
});
