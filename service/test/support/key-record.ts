import type { ApiKey } from '../../src/accounts/keys/api-key.ts';
import { hashKey, displayParts } from '../../src/accounts/keys/key-format.ts';
import type { ReadLimits } from '../../src/domain/plan.ts';

const PRO: ReadLimits = {
  name: 'pro',
  perMinute: 300,
  perDay: null,
  perMonth: null,
  historyMonths: null,
};

/** Returns an active key with the `read` scope, on the plan Pro. `change` replaces fields. */
export function keyRecordOf(key: string, change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1',
    customerId: 'cus_1',
    customerName: 'Made Up Research',
    plan: PRO,
    name: '',
    scopes: ['read'],
    allowedCidrs: null,
    hash: hashKey(key),
    ...displayParts(key),
    createdAt: 0,
    expiresAt: null,
    disabledAt: null,
    revokedAt: null,
    suspendedAt: null,
    move: null,
    ...change,
  };
}
