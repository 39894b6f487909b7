type Details = Readonly<Record<string, unknown>>;

/**
 * The sentences for audit events, without their subject. The actor (`You` or an email address) is
 * shown in front of them.
 */
const SENTENCES: Readonly<Record<string, (details: Details, actor: string) => string>> = {
  'session.start': ({ secondFactor }) =>
    typeof secondFactor === 'string'
      ? `signed in with a ${secondFactor === 'recovery' ? 'recovery code' : 'second factor'}`
      : 'signed in',
  'session.confirm': () => 'confirmed their password',
  'session.switch': () => 'switched to this account',
  'session.end': () => 'ended a session',
  'session.end-all': ({ count }) => `ended all their sessions${inBrackets(count)}`,
  'person.change-password': ({ by }) =>
    by === 'link' ? 'reset their password with a link' : 'changed their password',
  'person.reset-password': () => 'created a password reset link',
  'person.create': ({ email, role }, actor) =>
    email === actor ? `joined${as(role)}` : `added ${text(email, 'a user')}${as(role)}`,
  'person.invite': ({ email, role }) => `invited ${text(email, 'a user')}${as(role)}`,
  'person.join': ({ role }) => `joined${as(role)}`,
  'person.withdraw': ({ email }) => `revoked the invitation for ${text(email, 'a user')}`,
  'person.change-role': ({ email, role }) =>
    `changed the role of ${text(email, 'a user')} to ${text(role, 'another one')}`,
  'person.disable': ({ email }) => `disabled ${text(email, 'a user')}`,
  'person.enable': ({ email }) => `enabled ${text(email, 'a user')}`,
  'person.remove': ({ email }) => `removed ${text(email, 'a user')}`,
  'second-factor.add': () => 'enabled two-factor authentication',
  'second-factor.remove': () => 'disabled two-factor authentication',
  'recovery-codes.renew': () => 'generated new recovery codes',
  'store.purge-audit': ({ events }) => `deleted ${counted(events, 'old audit event')}`,
  'key.create': (details) => `created ${keyName(details)}`,
  'key.change': (details) => `updated ${keyName(details)}`,
  'key.disable': (details) => `disabled ${keyName(details)}`,
  'key.enable': (details) => `enabled ${keyName(details)}`,
  'key.revoke': (details) => `revoked ${keyName(details)}`,
  'key.delete': (details) => `deleted ${keyName(details)}`,
  'key.roll': (details) =>
    `rolled ${keyName(details)}${details['grace'] === 'now' ? ' and expired the old key' : ''}`,
  'watchlist.create': ({ name }) => `created watchlist ${text(name, '')}`,
  'watchlist.change': ({ name, added, removed }) =>
    `changed watchlist ${text(name, '')}: added ${counted(added, 'symbol')}, removed ${counted(removed, 'symbol')}`,
  'watchlist.delete': ({ name }) => `deleted watchlist ${text(name, '')}`,
  'webhook.create': ({ url }) => `created ${endpointName(url)}`,
  'webhook.change': ({ url, enabled }) => `updated ${enabledText(enabled)} ${endpointName(url)}`,
  'webhook.disable': ({ reason }) => `disabled an endpoint${because(reason)}`,
  'webhook.enable': () => 'enabled an endpoint',
  'webhook.delete': ({ url }) => `deleted ${endpointName(url)}`,
  'webhook.subscribe': ({ added, templateId }) =>
    `added ${counted(added, 'subscription')} to ${text(templateId, 'an event type')}`,
  'webhook.unsubscribe': ({ removed, templateId }) =>
    `removed ${counted(removed, 'subscription')} to ${text(templateId, 'an event type')}`,
  'delivery.test': ({ symbol }) => `sent a test delivery for ${text(symbol, 'a company')}`,
  'webhook.reveal-secret': () => 'revealed a webhook secret',
  'webhook.prepare-secret': () => 'created a new webhook secret',
  'webhook.withdraw-secret': () => 'discarded a pending webhook secret',
  'webhook.activate-secret': () => 'activated a new webhook secret',
  'delivery.redeliver': () => 'redelivered a delivery',
  'delivery.recover': ({ count }) => `recovered missed deliveries${inBrackets(count)}`,
  'customer.create': ({ name, plan }) => `created customer ${text(name, '')}${on(plan)}`,
  'customer.rename': ({ before, after }) =>
    `renamed the account from ${text(before, 'its old name')} to ${text(after, 'a new name')}`,
  'customer.plan': ({ before, after }) =>
    `changed the plan from ${text(before, 'one plan')} to ${text(after, 'another')}`,
  'customer.suspend': () => 'suspended the account',
  'customer.move': ({ from }) => `moved the customer here from cell ${text(from, '')}`,
  'customer.resume': () => 'reactivated the account',
  'customer.delete': ({ keysRevoked }) =>
    `deleted the account and revoked ${counted(keysRevoked, 'API key')}`,
  'plan.add': ({ name }) => `created plan ${text(name, '')}`,
  'plan.change': ({ name }) => `updated plan ${text(name, '')}`,
  'plan.remove': ({ name }) => `deleted plan ${text(name, '')}`,
  'quotas.reset-ahead': () => 'reset quotas that were ahead of the clock',
  'market-override.add': ({ date }) => `changed the market calendar for ${text(date, 'a day')}`,
  'market-override.revoke': () => 'reverted a market calendar change',
  'quarantine.accept': () => 'accepted a quarantined row',
  'quarantine.reject': () => 'rejected a quarantined row',
  'ingest.run': () => 'started a fetch from a source',
  'ingest.backfill': () => 'started a backfill',
  'ingest.import': () => 'imported files',
  'ingest.reset-ahead': () => 'moved data recorded ahead of the clock to the present',
  'store.backup': () => 'created a backup',
  'store.new-epoch': () => 'started a new epoch of the store',
  'sandbox.change': ({ symbol }) => `changed the simulated report of ${text(symbol, 'a company')}`,
  'setup.begin': () => 'started the service setup',
};

/** Describes an audit event without its actor. Returns the action name if the action is unknown. */
export function describeAction(action: string, details: Details, actor = ''): string {
  return (SENTENCES[action]?.(details, actor) ?? action).replaceAll(/\s+/g, ' ').trim();
}

/** All actions that have a description. Exported for tests. */
export const DESCRIBED_ACTIONS: ReadonlySet<string> = new Set(Object.keys(SENTENCES));

function keyName({ name, prefix, last4 }: Details): string {
  const ends = typeof last4 === 'string' ? `${text(prefix, '')}…${last4}` : '';
  return typeof name === 'string' && name !== '' ? `API key ${name} (${ends})` : `API key ${ends}`;
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

function counted(count: unknown, what: string): string {
  return count === 1 ? `1 ${what}` : `${text(count, 'some')} ${what}s`;
}

function as(role: unknown): string {
  return typeof role === 'string' ? ` as ${role}` : '';
}

function endpointName(url: unknown): string {
  return typeof url === 'string' ? `endpoint ${url}` : 'an endpoint';
}

function on(plan: unknown): string {
  return typeof plan === 'string' ? ` on plan ${plan}` : '';
}

function inBrackets(count: unknown): string {
  return typeof count === 'number' ? ` (${count})` : '';
}

/**
 * Returns a phrase for an update that also enabled or disabled the endpoint, or an empty string.
 */
function enabledText(enabled: unknown): string {
  return typeof enabled === 'boolean' ? `and ${enabled ? 'enabled' : 'disabled'}` : '';
}

const REASONS: Readonly<Record<string, string>> = {
  owner: '',
  operator: ' as an operator',
  failing: ' after days of failures',
  gone: ' that responded with 410 Gone',
};

function because(reason: unknown): string {
  return typeof reason === 'string' ? (REASONS[reason] ?? '') : '';
}
