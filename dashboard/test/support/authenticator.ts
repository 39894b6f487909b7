import { fromBase32 } from '../../../service/src/accounts/second-factor/base32.ts';
import { totpCode, totpStep } from '../../../service/src/accounts/second-factor/totp.ts';
import { systemClock } from '../../../service/src/platform/clock.ts';

/** An app for codes that was given a secret as the page shows it. */
export interface Authenticator {
  /** A code that was not given before: the service takes each once, and one step ahead. */
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
