import { expect, test } from 'vitest';
import { readSystemDeliverySearch } from './system-delivery-search.ts';

test('keeps the customer, state, symbol, test filter, and page of the delivery log from a link', () => {
  const search = {
    customer: 'cus_1',
    state: 'failed',
    symbol: 'FCVQZ',
    test: true,
    before: 'del_9',
  };
  expect(readSystemDeliverySearch(search)).toEqual(search);
});

test('drops invalid filters of the delivery log from a link', () => {
  const search = { customer: 7, state: 'lost', test: 'perhaps', span: '24h' };
  expect(readSystemDeliverySearch(search)).toEqual({ span: '24h' });
});
