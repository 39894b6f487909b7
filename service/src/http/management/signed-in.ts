import type { Caller } from './caller.ts';
import type { Call } from './route.ts';

/** Who is signed in, of a call that is for people alone. */
export function signedIn(call: Pick<Call, 'caller'>): Extract<Caller, { kind: 'person' }> {
  if (call.caller?.kind === 'person') return call.caller;
  throw new Error('a call for people was handled for somebody else');
}
