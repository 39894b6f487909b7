import { AGENT } from '../../platform/agent.ts';
import type { FeedRequest } from '../provider.ts';

export const HOST = 'www.nasdaqtrader.com';

/** Returns the request for a file of the symbol directory. */
export function directoryRequest(file: string): FeedRequest {
  return {
    url: `https://${HOST}/dynamic/SymDir/${file}`,
    headers: { 'user-agent': AGENT, accept: 'text/plain, */*' },
  };
}
