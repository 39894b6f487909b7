import type { FastifyRequest } from 'fastify';
import type { KeyUse } from '../../accounts/keys/key-last-used.ts';
import type { Log } from '../../platform/log.ts';
import type { Authenticator } from '../request/authenticate.ts';
import type { ManagementDeps } from './deps.ts';
import type { Route } from './route.ts';

/** What the management interface is served with. */
export interface ManagementOptions extends Authenticator {
  routes: readonly Route[];
  /** Told of every key that came in. */
  keyUse: Pick<KeyUse, 'note'>;
  deps: ManagementDeps;
  log: Log;
  nextRequestId: () => string;
  /** The client's address, through trusted proxies. */
  addressOf(request: FastifyRequest): string;
}
