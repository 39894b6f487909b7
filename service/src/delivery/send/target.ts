import { checkWebhookUrl, type UrlRules } from '../../webhooks/address/url-rules.ts';
import { AttemptError } from './attempt-error.ts';

export interface Target {
  /** Scheme, name and port. */
  origin: string;
  host: string;
  port: number;
  isTls: boolean;
  /** With the query. */
  path: string;
}

/** Throws `blocked_address` for a URL that the rules no longer let pass. */
export function parseTarget(text: string, rules: UrlRules): Target {
  const verdict = checkWebhookUrl(text, rules);
  if (!verdict.ok) throw new AttemptError('blocked_address', `The URL ${verdict.problem}.`);
  const url = new URL(verdict.url);
  return {
    origin: url.origin,
    host: verdict.host,
    port: verdict.port,
    isTls: verdict.protocol === 'https:',
    path: url.pathname + url.search,
  };
}
