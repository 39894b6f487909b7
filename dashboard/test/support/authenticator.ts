import {
  fromBase32,
  totpCode,
  totpStep,
} from '../../../service/src/accounts/second-factor/totp.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';

/** An authenticator app that uses a secret shown on the page. */
export interface Authenticator {
  /**
   * Returns an unused code. The service accepts each code only once, and at most one time step
   * early.
   */
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
