import { Type } from 'typebox';
import { changeKey, deleteKey, revokeKey } from '../../../accounts/keys/change-key.ts';
import { keyState } from '../../../accounts/keys/api-key.ts';
import { createKey } from '../../../accounts/keys/create-key.ts';
import { type KeyRecord, listKeys } from '../../../accounts/keys/key-store.ts';
import { type Grace, GRACE_MS, rollKey } from '../../../accounts/keys/roll-key.ts';
import { choice, instant, list, named, nullable, text } from '../../../endpoints/schema/fields.ts';
import { formatInstant, type Instant, parseInstant } from '../../../platform/instant.ts';
import { formatOptional } from '../instants.ts';
import { creatorSchema, creatorView } from '../person-access-view.ts';
import { commonRejection, reject, rejectInvalid, unexpectedOutcome } from '../refusals.ts';
import { type Call, defineRoute, done, type CallResult, type RouteGroup } from '../route.ts';
import { instantText, lineText } from '../described-text.ts';
import { CIDRS_MAX } from '../../../accounts/keys/key-settings.ts';
import { describedAs } from '../../openapi/collect-schemas.ts';

const KEYS_LISTED_MAX = 1_000;
const SCOPES = ['read', 'manage'] as const;
const STATES = ['active', 'expired', 'disabled', 'revoked', 'suspended'] as const;
const GRACE_PERIODS = Object.keys(GRACE_MS) as [Grace, ...Grace[]];

const keySchema = named('Key', {
  id: text('Key ID, `key_…`.'),
  name: text('Display name; may be empty.'),
  prefix: text('First characters of the key.'),
  last4: text('Last four characters of the key.'),
  scopes: list(choice(SCOPES, 'Scope.'), '`read`: the read API; `manage`: this API.'),
  allowedCidrs: nullable(
    list(text('CIDR block.'), 'Address ranges the key may be used from; null for any address.'),
  ),
  state: choice(STATES, 'State of the key.'),
  createdAt: instant('Time of creation.'),
  createdBy: nullable(creatorSchema),
  expiresAt: nullable(instant('Expiration time; null if the key does not expire.')),
  lastUsedAt: nullable(instant('Last use, to the minute; null if never used.')),
});

const createdKey = named('CreatedKey', {
  key: text('The full API key. It is shown only once.'),
  id: text('Key ID, `key_…`.'),
});

const settingsBody = {
  name: Type.Optional(lineText('Name of the key for your own use.', 100)),
  scopes: Type.Optional(
    describedAs(Type.Array(Type.String()), {
      minItems: 1,
      items: { type: 'string', enum: [...SCOPES] },
    }),
  ),
  allowedCidrs: Type.Optional(
    Type.Union([
      describedAs(Type.Array(Type.String()), { minItems: 1, maxItems: CIDRS_MAX }),
      Type.Null(),
    ]),
  ),
  expiresAt: Type.Optional(Type.Union([instantText('When the key expires.'), Type.Null()])),
};

const listRoute = defineRoute({
  name: 'keys-list',
  method: 'GET',
  path: '/account/v1/keys',
  summary: 'List API keys',
  access: 'keys.list',
  status: 200,
  response: list(
    keySchema,
    'Active keys first, then revoked and expired keys, each newest first; up to 1,000 in total.',
  ),
  async handle({ deps, customerId, now }) {
    // Active keys are loaded first, because the accumulated revoked and expired keys could
    // otherwise fill the entire list.
    const working = await listKeys(deps.db, {
      customerId,
      ended: { is: false, now },
      limit: KEYS_LISTED_MAX,
    });
    const ended = await listKeys(deps.db, {
      customerId,
      ended: { is: true, now },
      limit: KEYS_LISTED_MAX - working.length,
    });
    return done([...working, ...ended].map((record) => render(record, now)));
  },
});

const createRoute = defineRoute({
  name: 'keys-create',
  method: 'POST',
  path: '/account/v1/keys',
  summary: 'Create an API key',
  describe:
    'The full key is in this response only. It cannot be retrieved later. A key with the scope ' +
    '`manage` requires a password confirmation within the last ten minutes.',
  access: 'keys.create',
  body: Type.Object(settingsBody),
  needsRecentPasswordFor: grantsManage,
  status: 201,
  response: createdKey,
  async handle({ deps, customerId, body, actor }) {
    const parsed = parseSettings(body);
    if ('rejected' in parsed) return parsed.rejected;
    const outcome = await createKey(
      deps,
      { customerId, kind: deps.keyKind, ...parsed.settings },
      actor,
    );
    if (outcome.kind !== 'created') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    await deps.refreshKeys();
    return done({ key: outcome.key, id: outcome.record.id });
  },
});

const changeRoute = defineRoute({
  name: 'keys-update',
  method: 'PATCH',
  path: '/account/v1/keys/{keyId}',
  summary: 'Update an API key',
  describe: 'Omitted fields are unchanged.',
  access: 'keys.change',
  body: Type.Object({ ...settingsBody, enabled: Type.Optional(Type.Boolean()) }),
  needsRecentPasswordFor: grantsManage,
  status: 204,
  response: null,
  async handle(call) {
    const { deps, customerId, body, actor } = call;
    const { enabled, ...rest } = body;
    const parsed = parseSettings(rest);
    if ('rejected' in parsed) return parsed.rejected;
    const change = {
      customerId,
      keyId: call.param('keyId'),
      ...parsed.settings,
      ...(enabled === undefined ? {} : { enabled }),
    };
    const outcome = await changeKey(deps, change, actor);
    if (outcome.kind !== 'changed') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    await deps.refreshKeys();
    return done();
  },
});

const rollRoute = defineRoute({
  name: 'keys-roll',
  method: 'POST',
  path: '/account/v1/keys/{keyId}/roll',
  summary: 'Roll an API key',
  describe:
    'Creates a replacement key with the same settings. Both keys work until the grace period ends.',
  access: 'keys.roll',
  body: Type.Object({ grace: choice(GRACE_PERIODS, 'How long the old key keeps working.') }),
  status: 201,
  response: createdKey,
  async handle(call) {
    const { deps, customerId, body, actor } = call;
    const options = { customerId, keyId: call.param('keyId'), grace: body.grace as Grace };
    const outcome = await rollKey(deps, options, actor);
    if (outcome.kind === 'not-active') {
      return reject('conflict', 'The key is no longer active. Create a new key instead.');
    }
    if (outcome.kind !== 'rolled') return commonRejection(outcome) ?? unexpectedOutcome(outcome);
    await deps.refreshKeys();
    return done({ key: outcome.key, id: outcome.id });
  },
});

const revokeRoute = defineRoute({
  name: 'keys-revoke',
  method: 'POST',
  path: '/account/v1/keys/{keyId}/revoke',
  summary: 'Revoke an API key',
  describe: 'The key is rejected from the next request on and stays in the list.',
  access: 'keys.revoke',
  status: 204,
  response: null,
  handle: (call) => endKey(call, revokeKey),
});

const deleteRoute = defineRoute({
  name: 'keys-delete',
  method: 'DELETE',
  path: '/account/v1/keys/{keyId}',
  summary: 'Delete an API key',
  describe: 'Revokes the key and removes it from the list.',
  access: 'keys.revoke',
  status: 204,
  response: null,
  handle: (call) => endKey(call, deleteKey),
});

export const group: RouteGroup = {
  name: 'keys',
  describe:
    'API keys of the account. A key is shown once, can be rolled with a grace period, and is ' +
    'revoked immediately.',
  routes: [listRoute, createRoute, changeRoute, rollRoute, revokeRoute, deleteRoute],
};

/** Returns true for a key that manages the account, which gives its holder lasting access. */
function grantsManage({ scopes }: { scopes?: string[] }): boolean {
  return scopes?.includes('manage') === true;
}

async function endKey(
  call: Call,
  revokeOrDelete: typeof revokeKey | typeof deleteKey,
): Promise<CallResult> {
  const { deps, customerId, actor } = call;
  const outcome = await revokeOrDelete(deps, { customerId, keyId: call.param('keyId') }, actor);
  const rejection = commonRejection(outcome);
  if (rejection !== null) return rejection;
  await deps.refreshKeys();
  return done();
}

interface KeySettings {
  name?: string;
  scopes?: string[];
  allowedCidrs?: string[] | null;
}

function parseSettings({
  expiresAt: text,
  ...settings
}: KeySettings & { expiresAt?: string | null }):
  | { settings: KeySettings & { expiresAt?: Instant | null } }
  | { rejected: CallResult } {
  if (text === undefined) return { settings };
  const expiresAt = text === null ? null : parseInstant(text);
  if (expiresAt === null && text !== null) {
    const detail = 'must be a timestamp such as 2026-11-20T15:30:00Z, or null for no expiration';
    return { rejected: rejectInvalid('expiresAt', detail) };
  }
  return { settings: { ...settings, expiresAt } };
}

function render(record: KeyRecord, now: Instant): object {
  const { id, name, prefix, last4, scopes, allowedCidrs, createdAt, expiresAt, lastUsedAt } =
    record;
  return {
    id,
    name,
    prefix,
    last4,
    scopes,
    allowedCidrs,
    state: keyState(record, now),
    createdAt: formatInstant(createdAt),
    createdBy: creatorView(record.createdBy),
    expiresAt: formatOptional(expiresAt),
    lastUsedAt: formatOptional(lastUsedAt),
  };
}
