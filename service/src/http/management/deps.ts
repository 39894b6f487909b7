import type { KeyKind } from '../../accounts/keys/key-format.ts';
import type { SignInDeps } from '../../accounts/sign-in/check-password.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

/** What the management calls work with. */
export interface ManagementDeps extends SignInDeps {
  box: SecretBox;
  /** Keys made here: of a simulated market, or of real data. */
  keyKind: KeyKind;
  /** Where the service stands, without a slash at the end; for links that people are sent. */
  publicUrl: string;
  /** Takes a change of keys, plans and customers up at once in this process. */
  refreshKeys(): Promise<void>;
}
