type Details = Readonly<Record<string, unknown>>;

/** What an act is called after who did it, `by`: `You` or an address, then this. */
const SENTENCES: Readonly<Record<string, (of: Details, by: string) => string>> = {
  'session.start': ({ secondFactor }) =>
    typeof secondFactor === 'string'
      ? `signed in with a ${secondFactor === 'recovery' ? 'recovery code' : 'second factor'}`
      : 'signed in',
  'session.confirm': () => 'gave the password again',
  'session.end': () => 'ended a session',
  'session.end-all': ({ count }) => `ended all their sessions${inBrackets(count)}`,
  'person.change-password': ({ by }) =>
    by === 'link' ? 'chose a new password with a link' : 'changed their password',
  'person.reset-password': () => 'made a link for a new password',
  'person.create': ({ email, role }, by) =>
    email === by ? `joined${as(role)}` : `added ${word(email, 'a person')}${as(role)}`,
  'person.invite': ({ email, role }) => `invited ${word(email, 'somebody')}${as(role)}`,
  'person.withdraw': ({ email }) => `withdrew the invitation of ${word(email, 'somebody')}`,
  'person.change-role': ({ email, role }) => `made ${word(email, 'a person')} ${article(role)}`,
  'person.disable': ({ email }) => `disabled ${word(email, 'a person')}`,
  'person.enable': ({ email }) => `enabled ${word(email, 'a person')} again`,
  'person.remove': ({ email }) => `took ${word(email, 'a person')} out`,
  'second-factor.add': () => 'turned on the second factor',
  'second-factor.remove': () => 'removed a second factor',
  'recovery-codes.renew': () => 'made new recovery codes',
  'key.create': (of) => `made ${theKey(of)}`,
  'key.change': (of) => `changed ${theKey(of)}`,
  'key.disable': (of) => `disabled ${theKey(of)}`,
  'key.enable': (of) => `enabled ${theKey(of)}`,
  'key.revoke': (of) => `revoked ${theKey(of)}`,
  'key.delete': (of) => `took ${theKey(of)} out of the list`,
  'key.roll': (of) => `rolled ${theKey(of)}${of['grace'] === 'now' ? ', the old one ended' : ''}`,
  'webhook.create': ({ url }) => `added the endpoint ${word(url, '')}`,
  'webhook.change': ({ url, enabled }) =>
    `changed ${turned(enabled)} the endpoint ${word(url, '')}`,
  'webhook.disable': ({ reason }) => `disabled an endpoint${because(reason)}`,
  'webhook.enable': () => 'enabled an endpoint',
  'webhook.delete': ({ url }) => `deleted the endpoint ${word(url, '')}`,
  'webhook.subscribe': ({ added, templateId }) =>
    `subscribed an endpoint to ${counted(added, 'symbol')} of ${word(templateId, 'a template')}`,
  'webhook.unsubscribe': ({ removed, templateId }) =>
    `ended ${counted(removed, 'subscription')} to ${word(templateId, 'a template')}`,
  'delivery.test': ({ symbol }) => `sent a test about ${word(symbol, 'a company')}`,
  'webhook.reveal-secret': () => 'looked at a webhook secret',
  'webhook.prepare-secret': () => 'prepared a new webhook secret',
  'webhook.withdraw-secret': () => 'took a prepared webhook secret back',
  'webhook.activate-secret': () => 'changed to the new webhook secret',
  'delivery.redeliver': () => 'sent a delivery again',
  'delivery.recover': ({ count }) => `sent what was missed again${inBrackets(count)}`,
  'customer.create': ({ name, plan }) => `added the customer ${word(name, '')}${on(plan)}`,
  'customer.rename': ({ before, after }) =>
    `renamed the account from ${word(before, 'its old name')} to ${word(after, 'a new one')}`,
  'customer.plan': ({ before, after }) =>
    `changed the plan from ${word(before, 'one')} to ${word(after, 'another')}`,
  'customer.suspend': () => 'suspended the account',
  'customer.resume': () => 'resumed the account',
  'customer.delete': ({ keysRevoked }) => `deleted the account with ${counted(keysRevoked, 'key')}`,
  'plan.add': ({ name }) => `added the plan ${word(name, '')}`,
  'plan.change': ({ name }) => `changed the plan ${word(name, '')}`,
  'plan.remove': ({ name }) => `removed the plan ${word(name, '')}`,
  'quotas.reset-ahead': () => 'put quotas back that ran ahead of the clock',
  'market-override.add': ({ date }) => `changed the market calendar of ${word(date, 'a day')}`,
  'market-override.revoke': () => 'took a change of the market calendar back',
  'quarantine.accept': () => 'let a row in that was kept out',
  'quarantine.reject': () => 'kept a row out for good',
  'ingest.run': () => 'gathered from a source by hand',
  'ingest.backfill': () => 'filled in days of the past',
  'store.backup': () => 'made a backup of the store',
  'setup.begin': () => 'offered the set-up of the service',
};

/** An act of the audit after its actor; one without words here is shown by its name. */
export function sentenceOf(act: string, details: Details, by = ''): string {
  return (SENTENCES[act]?.(details, by) ?? act).replaceAll(/\s+/g, ' ').trim();
}

/** The acts that have words, for tests. */
export const KNOWN_ACTS: ReadonlySet<string> = new Set(Object.keys(SENTENCES));

function theKey({ name, prefix, last4 }: Details): string {
  const ends = typeof last4 === 'string' ? `${word(prefix, '')}…${last4}` : '';
  return typeof name === 'string' && name !== '' ? `the key ${name} (${ends})` : `the key ${ends}`;
}

function word(value: unknown, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

function counted(count: unknown, what: string): string {
  return count === 1 ? `1 ${what}` : `${word(count, 'some')} ${what}s`;
}

function as(role: unknown): string {
  return typeof role === 'string' ? ` as ${role}` : '';
}

function article(role: unknown): string {
  const text = word(role, 'something else');
  return /^[aeiou]/.test(text) ? `an ${text}` : `a ${text}`;
}

function on(plan: unknown): string {
  return typeof plan === 'string' ? ` on the plan ${plan}` : '';
}

function inBrackets(count: unknown): string {
  return typeof count === 'number' ? ` (${count})` : '';
}

/** What was changed may have been enabled or disabled in the same act. */
function turned(enabled: unknown): string {
  return typeof enabled === 'boolean' ? `and ${enabled ? 'enabled' : 'disabled'}` : '';
}

const REASONS: Readonly<Record<string, string>> = {
  owner: '',
  operator: ' as an operator',
  failing: ' that failed for days',
  gone: ' that answered 410 Gone',
};

function because(reason: unknown): string {
  return typeof reason === 'string' ? (REASONS[reason] ?? '') : '';
}
