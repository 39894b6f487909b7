import type { KeyKind } from '../../accounts/keys/key-format.ts';
import type { SignInDeps } from '../../accounts/sign-in/check-password.ts';
import type { SlidingWindowLimiter } from '../../metering/sliding-window-limiter.ts';
import type { Explorer } from '../response/explorer.ts';
import type { IngestionControl } from '../../datasets/jobs/ingestion-control.ts';
import type { DecideQuarantined } from '../../datasets/quarantine/decisions.ts';
import type { WebhookContext } from '../../webhooks/webhook-deps.ts';
import type { Instant } from '../../platform/instant.ts';
import type { SecretCipher } from '../../platform/encryption.ts';

/** Dependencies of the management calls, built in `app/management-api.ts`. */
export interface ManagementDeps extends SignInDeps {
  cipher: SecretCipher;
  /** Kind of new API keys: `test` in a store of simulated data, else `live`. */
  keyKind: KeyKind;
  /** Base URL of the service without a trailing slash, for links sent to people. */
  publicUrl: string;
  /** The setting PUBLIC_URL; null if unset. */
  configuredUrl: string | null;
  /** Issuer shown by authenticator apps. */
  brand: string;
  /** Plan of customers who sign up; null if sign-up is closed. */
  signUpPlan: string | null;
  /** Applies changed keys, plans and customers in this process immediately. */
  refreshKeys(): Promise<void>;
  /** Drops cached responses that depend on the market calendar, in this process. */
  onCalendarChange(): Promise<void>;
  /** `refresh` loads quota usage that was reset in the store. */
  meter: { refresh(): Promise<void> };
  webhooks: WebhookContext;
  gatherer: IngestionControl;
  decideQuarantined: DecideQuarantined;
  /** Queries read endpoints for the dashboard. */
  explorer: Explorer;
  /** Limits data queries per person. */
  dataViewLimit: SlidingWindowLimiter;
  system: SystemInfo;
}

/** Facts about this process that do not change while it runs. */
export interface SystemInfo {
  version: string;
  /** The `X-Data-Source` of the read API. */
  dataSource: string;
  startedAt: Instant;
  /** Data folder on this machine; null with an external database. */
  dataFolder: string | null;
}
