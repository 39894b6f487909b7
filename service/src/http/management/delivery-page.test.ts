import { expect, test } from 'vitest';
import { addCustomer, TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addEndpoint, webhookWorld } from '../../../test/support/webhook-fixtures.ts';
import { deleteEndpoint } from '../../webhooks/endpoint/endpoint-actions.ts';
import { findDeliveryPage } from './delivery-page.ts';
import { rejectNotFound } from './refusals.ts';

onEachEngine((db) => {
  test("lets current and former owners of an endpoint, as well as operators, read the endpoint's delivery log", async () => {
    const deps = webhookWorld(db());
    const { customerId, endpointId } = await addEndpoint(deps, 'A');
    const other = await addCustomer(deps, 'B');
    const ask = (whose: string | null, id: string) =>
      findDeliveryPage(deps.db, whose, { endpointId: id });
    const page = { deliveries: [], next: null };
    const notFound = { rejected: rejectNotFound() };
    for (const isDeleted of [false, true]) {
      if (isDeleted) await deleteEndpoint(deps, { customerId, endpointId }, TESTER);
      expect(await ask(customerId, endpointId)).toEqual(page);
      expect(await ask(null, endpointId)).toEqual(page);
      expect(await ask(other, endpointId)).toEqual(notFound);
    }
    for (const whose of [customerId, other, null]) {
      expect(await ask(whose, 'whe_none')).toEqual(notFound);
    }
  });
});
