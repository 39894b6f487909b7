import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept } from '../support/accept.ts';
import { hindrances } from '../support/accessibility.ts';
import { hasNoBrowser } from '../support/browser.ts';
import { openTab } from '../support/endpoints.ts';
import { type Furnished, openFurnished } from '../support/furnish.ts';
import { callAs } from '../support/management.ts';
import type { Visitor } from '../support/stage.ts';

/** One journey: each part begins where the one before it ended. */
describe.skipIf(hasNoBrowser)('an endpoint that its owner disabled', () => {
  let house: Furnished;
  let owner: Visitor;
  let place: string;

  beforeAll(async () => {
    house = await openFurnished();
    const { stage, operator, customerId, values } = house;
    const origin = stage.service.url;
    const body = { email: 'olga@harbour.example', role: 'owner' } as const;
    const { link } = await callAs(operator, origin, 'people-invite', { body }, customerId);
    owner = await stage.visit();
    await accept(owner, link, 'nine brown moths sleep');
    const endpointId = values['endpointId'] ?? 'none';
    place = `/webhooks/${endpointId}?tab=settings`;
    const change = { path: { endpointId }, body: { enabled: false } };
    await callAs(owner, origin, 'webhooks-update', change);
  });
  afterAll(() => house.close());

  test('is taken over by an operator', async () => {
    const { page, go } = house.operator;
    await go(`${place}&customer=${house.customerId}`);
    await page.getByRole('button', { name: 'Disable as an operator' }).click();
    const question = page.getByRole('dialog', { name: 'Disable night desk as an operator?' });
    expect(await hindrances(page)).toEqual([]);
    await question.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText(/An operator disabled it, and only an operator can enable it/).waitFor();
    expect(await page.getByRole('button', { name: /^Disable/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor();
  });

  test('then shows its owner no way that would be refused', async () => {
    const { page, go } = owner;
    await go(place);
    await page.getByText(/An operator disabled it, and only an operator can enable it/).waitFor();
    expect(await page.getByRole('button', { name: /^(?:Enable|Disable)/ }).count()).toBe(0);
    expect(await hindrances(page)).toEqual([]);
  });

  test('is enabled by an operator, and its owner can pause it again', async () => {
    await house.operator.page.getByRole('button', { name: 'Enable', exact: true }).click();
    await house.operator.page.getByRole('heading', { name: 'Pause' }).waitFor();
    await owner.go(place);
    await openTab(owner, 'Settings');
    await owner.page.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    expect(house.stage.troubles()).toEqual([]);
  });
});
