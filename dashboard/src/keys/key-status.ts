import type { Key } from '../api/calls.gen.ts';
import type { Tone } from '../ui/values/status-badge.tsx';

const UNUSED_MS = 30 * 86_400_000;

const STATES: Readonly<Record<Key['state'], { tone: Tone; text: string }>> = {
  active: { tone: 'good', text: 'active' },
  disabled: { tone: 'warn', text: 'disabled' },
  suspended: { tone: 'bad', text: 'suspended' },
  expired: { tone: 'plain', text: 'expired' },
  revoked: { tone: 'plain', text: 'revoked' },
};

/** The status of a key. Active keys without use for 30 days are flagged. */
export function keyStatus(key: Key, now: number): { tone: Tone; text: string } {
  if (key.state === 'active' && isUnused(key, now)) {
    return { tone: 'warn', text: 'unused for 30 days' };
  }
  return STATES[key.state];
}

function isUnused({ lastUsedAt, createdAt }: Key, now: number): boolean {
  return now - Date.parse(lastUsedAt ?? createdAt) > UNUSED_MS;
}
