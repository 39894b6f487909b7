import type { KeyKind } from '../../accounts/keys/key-format.ts';
import type { SignInDeps } from '../../accounts/sign-in/check-password.ts';
import type { MinuteLimit } from '../../metering/sliding-window-limiter.ts';
import type { Explorer } from '../response/explorer.ts';
import type { Gatherer } from '../../datasets/jobs/gatherer.ts';
import type { DecideQuarantined } from '../../datasets/quarantine/decisions.ts';
import type { WebhookContext } from '../../webhooks/webhook-deps.ts';
import type { Instant } from '../../platform/instant.ts';
import type { SecretCipher } from '../../platform/encryption.ts';

/** What the management calls work with. */
export interface ManagementDeps extends SignInDeps {
  cipher: SecretCipher;
  /** Keys made here: of a simulated market, or of real data. */
  keyKind: KeyKind;
  /** Where the service stands, without a slash at the end; for links that people are sent. */
  publicUrl: string;
  /** The same as far as the operator said so: the setting PUBLIC_URL; null when it is not set. */
  configuredUrl: string | null;
  /** What an authenticator app calls the service. */
  brand: string;
  /** The plan of who signs up by themselves; null where people come by invitation alone. */
  signUpPlan: string | null;
  /** Takes a change of keys, plans and customers up at once in this process. */
  refreshKeys(): Promise<void>;
  /** Drops at once, in this process, kept answers that a change of the market calendar made stale. */
  onCalendarChange(): Promise<void>;
  /** Learns at once of counts that were reset in the store. */
  meter: { refresh(): Promise<void> };
  webhooks: WebhookContext;
  gatherer: Gatherer;
  /** Lets rows in that were kept out, or keeps them out for good. */
  decideQuarantined: DecideQuarantined;
  /** The read endpoints, for pages. */
  explorer: Explorer;
  /** How often each person may look at data. */
  dataViewLimit: MinuteLimit;
  system: SystemInfo;
}

/** What is known of the process since its start. */
export interface SystemInfo {
  version: string;
  /** As the answers of the read API say it. */
  dataSource: string;
  startedAt: Instant;
  /** Where data are kept on this machine; null when nothing is. */
  dataFolder: string | null;
}
