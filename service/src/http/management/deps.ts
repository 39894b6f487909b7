import type { KeyKind } from '../../accounts/keys/key-format.ts';
import type { SecondFactorRule } from '../../accounts/permissions.ts';
import type { SignInDeps } from '../../accounts/sign-in/check-password.ts';
import type { SlidingWindowLimiter } from '../../metering/sliding-window-limiter.ts';
import type { WorkQueue } from '../../platform/fair-queue.ts';
import type { Explorer } from '../response/explorer.ts';
import type { IngestionControl } from '../../datasets/jobs/ingestion-control.ts';
import type { DecideQuarantined } from '../../datasets/quarantine/decisions.ts';
import type { WebhookContext } from '../../webhooks/webhook-deps.ts';
import type { Instant } from '../../platform/instant.ts';
import type { SecretCipher } from '../../platform/encryption.ts';
import type { ChangeableField } from '../../providers/sandbox/change-report.ts';

/** Dependencies of the management calls, created in `app/management-api.ts`. */
export interface ManagementDeps extends SignInDeps {
  cipher: SecretCipher;
  /** Kind of new API keys: `test` if the store contains simulated data, otherwise `live`. */
  keyKind: KeyKind;
  /** Base URL of the service without a trailing slash, used for links sent to people. */
  publicUrl: string;
  /** Value of the PUBLIC_URL setting; null if unset. */
  configuredUrl: string | null;
  /** Issuer name shown in authenticator apps. */
  brand: string;
  /** People who must use two-factor authentication. */
  secondFactorRule: SecondFactorRule;
  /** Plan for customers who sign up; null if sign-up is closed. */
  signUpPlan: string | null;
  /** Applies changes to keys, plans and customers in this process immediately. */
  refreshKeys(): Promise<void>;
  /** Removes responses that depend on the market calendar from this process's cache. */
  onCalendarChange(): Promise<void>;
  /** Quota meter. Its `refresh` method reloads usage that was reset in the store. */
  meter: { refresh(): Promise<void> };
  webhooks: WebhookContext;
  gatherer: IngestionControl;
  decideQuarantined: DecideQuarantined;
  /**
   * Changes a field of a company's next report in the simulated market. Returns null for a company
   * without one. Null if the store has real data.
   */
  changeSandbox:
    | ((request: { symbol: string; field: ChangeableField }) => Promise<ChangedReport | null>)
    | null;
  /** Queries read endpoints for the dashboard. */
  explorer: Explorer;
  /** Limits data queries per person. */
  dataViewLimit: SlidingWindowLimiter;
  /** Shares the store among the reads of customers. */
  queue: WorkQueue;
  system: SystemInfo;
}

/** The value of a field before and after a change. */
export interface ChangedReport {
  reportId: string;
  before: string | null;
  after: string | null;
}

/** Information about this process that does not change while it runs. */
export interface SystemInfo {
  version: string;
  /** Value of the `X-Data-Source` header in the read API. */
  dataSource: string;
  startedAt: Instant;
  /** Data folder on this machine; null if an external database is used. */
  dataFolder: string | null;
}
