import { type Receiver, reply, startReceiver } from '../../../service/test/support/receiver.ts';
import { callAs } from './management.ts';
import { openStage, setUp, type Stage, type Visitor } from './stage.ts';

/** A stage with data on every page, viewed by an operator. */
export interface Furnished {
  stage: Stage;
  operator: Visitor;
  receiver: Receiver;
  /** The values for the route parameters. */
  values: Readonly<Record<string, string>>;
  customerId: string;
  close(): Promise<void>;
}

export async function openFurnished(env: Record<string, string> = {}): Promise<Furnished> {
  const receiver = await startReceiver((socket, n) => {
    socket.write(n % 3 === 1 ? reply(500, [], 'out of paper') : reply(200, [], 'taken'));
  });
  const stage = await openStage({
    ...env,
    WEBHOOK_DEV_ALLOW: `127.0.0.0/8:${receiver.port}`,
  });
  const origin = stage.service.url;
  const operator = await stage.visit();
  await setUp(stage, operator);
  const { customers } = await callAs(operator, origin, 'customers-list', {});
  const customerId = customers[0]?.id ?? 'none';
  const callForCustomer: typeof callAs = (visitor, serviceOrigin, name, input) =>
    callAs(visitor, serviceOrigin, name, input, customerId);

  const symbols = await callForCustomer(operator, origin, 'symbols-search', {
    query: { search: 'c' },
  });
  const symbol = symbols[0]?.symbol ?? 'none';
  const { id: endpointId } = await callForCustomer(operator, origin, 'webhooks-create', {
    body: { url: `http://127.0.0.1:${receiver.port}/hook`, description: 'night desk' },
  });
  await callForCustomer(operator, origin, 'webhook-subscriptions-add', {
    path: { endpointId },
    body: { templateId: 'earnings_schedule', symbols: symbols.map((company) => company.symbol) },
  });
  const path = { endpointId };
  const test = await callForCustomer(operator, origin, 'webhooks-test', { path, body: {} });
  await callForCustomer(operator, origin, 'webhooks-test', { path, body: {} });
  await callForCustomer(operator, origin, 'people-invite', {
    body: { email: 'owner@example.com', role: 'owner' },
  });
  for (const route of ['/v1/market-status', `/v1/profile/${symbol}`, '/v1/profile/NONE']) {
    await stage.service.get(route, stage.demoKey);
  }
  const facts = await callAs(operator, origin, 'facts-list', {
    path: { dataset: 'earnings' },
    query: { symbol },
  });
  return {
    stage,
    operator,
    receiver,
    customerId,
    values: {
      symbol,
      endpointId,
      customerId,
      deliveryId: test.deliveryId,
      dataset: 'earnings',
      factId: facts.facts[0]?.id ?? 'none',
      quarantineId: 'row_1',
    },
    async close() {
      await stage.close();
      await receiver.close();
    },
  };
}
