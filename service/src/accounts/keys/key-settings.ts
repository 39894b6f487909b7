import type { Instant } from '../../platform/instant.ts';
import type { Transaction } from '../../storage/db.ts';
import type { Actor } from '../audit-log.ts';
import { invalid, type Invalid } from '../deps.ts';
import type { ApiKey, KeyScope } from './api-key.ts';
import { isBlockWithin, normalizeCidr } from './cidr.ts';
import { findKey } from './key-store.ts';

/** Settings that the owner of a key controls. */
export type KeySettings = Pick<ApiKey, 'name' | 'scopes' | 'allowedCidrs' | 'expiresAt'>;

/** Read access from any address, with no expiry. */
export const DEFAULT_KEY_SETTINGS: KeySettings = {
  name: '',
  scopes: ['read'],
  allowedCidrs: null,
  expiresAt: null,
};

const NAME_LENGTH_MAX = 100;
export const CIDRS_MAX = 50;

/** Key settings before validation, with scope names and CIDR blocks as typed. */
export interface KeySettingsInput {
  name?: string;
  scopes?: readonly string[];
  /** Null for any address. */
  allowedCidrs?: readonly string[] | null;
  /** Null for no expiry. */
  expiresAt?: Instant | null;
}

/** Returns the current settings updated with the validated input. */
export function parseKeySettings(
  input: KeySettingsInput,
  current: KeySettings,
  now: Instant,
): { kind: 'settings'; settings: KeySettings } | Invalid {
  const name = (input.name ?? current.name).trim();
  if (name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    return invalid('name', `a key's name has at most ${NAME_LENGTH_MAX} characters`);
  }
  const scopes = (input.scopes ?? current.scopes).filter(isScope);
  if (scopes.length === 0 || scopes.length < (input.scopes ?? []).length) {
    return invalid('scopes', 'read, manage or both');
  }
  const { expiresAt = current.expiresAt } = input;
  if (input.expiresAt != null && input.expiresAt <= now) {
    return invalid('expiresAt', 'a time in the future');
  }
  const allowedCidrs =
    input.allowedCidrs === undefined ? current.allowedCidrs : parseCidrs(input.allowedCidrs);
  if (allowedCidrs !== null && 'kind' in allowedCidrs) return allowedCidrs;
  const sorted = (['read', 'manage'] as const).filter((scope) => scopes.includes(scope));
  return { kind: 'settings', settings: { name, scopes: sorted, allowedCidrs, expiresAt } };
}

function parseCidrs(input: readonly string[] | null): readonly string[] | null | Invalid {
  if (input === null) return null;
  if (input.length === 0 || input.length > CIDRS_MAX) {
    return invalid('allowedCidrs', `1 to ${CIDRS_MAX} blocks, or null for any address`);
  }
  const parsed = input.map(normalizeCidr);
  const invalidCidr = input[parsed.indexOf(null)];
  if (invalidCidr !== undefined) {
    return invalid(
      'allowedCidrs',
      `${invalidCidr} is not a CIDR block such as 192.0.2.0/24 or 2001:db8::/32 (bits beyond the prefix length must be 0)`,
    );
  }
  return [...new Set(parsed.filter((cidr) => cidr !== null))];
}

function isScope(text: string): text is KeyScope {
  return text === 'read' || text === 'manage';
}

/**
 * Rejects settings that exceed those of the key making the request; otherwise a key limited to some
 * addresses or to a period could lift its own limits. Scopes need no check because `manage`
 * includes `read`. Returns null if the settings are within the limits or the actor is not a key.
 */
export async function exceedsCallerKey(
  tx: Transaction,
  customerId: string,
  actor: Actor,
  input: Partial<KeySettings>,
): Promise<Invalid | null> {
  if (actor.kind !== 'key') return null;
  const callerKey = await findKey(tx, customerId, actor.id ?? '');
  if (callerKey === null || callerKey.revokedAt !== null) {
    return invalid('key', 'the key that made the request no longer exists');
  }
  const { allowedCidrs, expiresAt } = input;
  if (callerKey.allowedCidrs !== null && allowedCidrs !== undefined) {
    const blocks = callerKey.allowedCidrs;
    if (allowedCidrs === null || !allowedCidrs.every((cidr) => isBlockWithin(cidr, blocks))) {
      return invalid('allowedCidrs', 'a key cannot allow addresses that it may not use itself');
    }
  }
  if (callerKey.expiresAt !== null && expiresAt !== undefined) {
    if (expiresAt === null || expiresAt > callerKey.expiresAt) {
      return invalid('expiresAt', 'a key cannot set an expiry later than its own');
    }
  }
  return null;
}
