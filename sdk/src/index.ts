export { parseDelivery } from './parse-delivery.ts';
export { createReadClient } from './read-client.ts';
export type {
  CallArguments,
  CallOptions,
  DataOf,
  FollowParameters,
  PagedPath,
  ReadClient,
  ReadClientOptions,
  ReadPath,
  ReadResponse,
  TablePath,
} from './read-client.ts';
export { ReadError } from './read-error.ts';
export { readUrl } from './read-url.ts';
export type { ReadParameters } from './read-url.ts';
export type * from './reads.gen.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type {
  VerifiedWebhook,
  VerifyWebhookOptions,
  WebhookFailure,
  WebhookHeaders,
} from './verify-webhook.ts';
export type {
  Delivery,
  DividendDeclaredData,
  EarningsReactionData,
  EarningsScheduleData,
  WebhookDelivery,
} from './webhook-types.ts';
