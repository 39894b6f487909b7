import type { Creator } from '../../accounts/creator.ts';
import type { KeyRecord } from '../../accounts/keys/key-store.ts';
import {
  type BodyOf,
  choice,
  flag,
  list,
  named,
  nullable,
  text,
} from '../../endpoints/schema/fields.ts';
import type { WebhookEndpoint } from '../../webhooks/endpoint/webhook-endpoint.ts';

export const creatorSchema = named('Creator', {
  kind: choice(
    ['person', 'key', 'cli', 'system'],
    'What created the object: a person, an API key, the command line, or the service itself.',
  ),
  id: nullable(text('ID of the person or key.')),
  label: text('Email address of the person, or prefix and last characters of the key.'),
});

const createdKey = named('KeyOfPerson', {
  id: text('Key ID, `key_…`.'),
  customerId: text('Customer that the key belongs to.'),
  name: text('Display name; may be empty.'),
  prefix: text('First characters of the key.'),
  last4: text('Last four characters of the key.'),
  scopes: list(choice(['read', 'manage'], 'Scope.'), '`read`: the read API; `manage`: this API.'),
  createdBy: nullable(creatorSchema),
  isRevoked: flag('Whether this call revoked the key.'),
});

const createdEndpoint = named('EndpointOfPerson', {
  id: text('Endpoint ID, `whe_…`.'),
  customerId: text('Customer that the endpoint belongs to.'),
  url: text('URL that receives deliveries.'),
  description: text('Description; may be empty.'),
  createdBy: nullable(creatorSchema),
});

export const personAccessSchema = named('PersonAccess', {
  keys: list(
    createdKey,
    'Keys that the person created, and keys that those keys created, unless they have expired or ' +
      'were revoked before.',
  ),
  endpoints: list(
    createdEndpoint,
    'Webhook endpoints that the person or one of these keys created.',
  ),
});

/** Returns the keys and endpoints that a person leaves behind. */
export function personAccessView(
  keys: readonly KeyRecord[],
  endpoints: readonly WebhookEndpoint[],
  areRevoked: boolean,
): BodyOf<typeof personAccessSchema> {
  return {
    keys: keys.map(({ id, customerId, name, prefix, last4, scopes, createdBy }) => ({
      id,
      customerId,
      name,
      prefix,
      last4,
      scopes: [...scopes],
      createdBy: creatorView(createdBy),
      isRevoked: areRevoked,
    })),
    endpoints: endpoints.map(({ id, customerId, url, description, createdBy }) => ({
      id,
      customerId,
      url,
      description,
      createdBy: creatorView(createdBy),
    })),
  };
}

export function creatorView(creator: Creator | null): BodyOf<typeof creatorSchema> | null {
  if (creator === null) return null;
  const { kind, id, label } = creator;
  return { kind, id, label };
}
