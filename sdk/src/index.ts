export { parseDelivery } from './parse-delivery.ts';
export { readUrl } from './read-url.ts';
export type { ReadParameters } from './read-url.ts';
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
