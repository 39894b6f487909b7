import { AGENT } from '../../platform/agent.ts';
import { requireContact } from '../kit/contact.ts';
import type { FeedRequest, PlanContext } from '../provider.ts';

/**
 * Returns a request that names this software and its operator. BLS refuses an agent without an
 * e-mail address, and one that pretends to be a browser. Throws a `RangeError` without a contact.
 */
export function agencyRequest(url: string, accept: string, context: PlanContext): FeedRequest {
  return { url, headers: { accept, 'user-agent': `${AGENT} (${requireContact(context)})` } };
}
