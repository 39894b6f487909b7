import {
  fromBase32,
  totpCode,
  totpStep,
} from '../../../service/src/accounts/second-factor/totp.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';

/** An authenticator app with a secret from the page. */
export interface Authenticator {
  /** An unused code: the service accepts each code once, and at most one step ahead. */
  code(): string;
}

export function authenticatorFor(shown: string): Authenticator {
  const secret = fromBase32(shown.replaceAll(/\s/g, ''));
  const clock = systemClock();
  let last = 0;
  return {
    code() {
      last = Math.max(totpStep(clock.now()), last + 1);
      return totpCode(secret, last);
    },
  };
}
