import type { FastifyRequest } from 'fastify';
import type { Role } from '../../src/accounts/permissions.ts';
import { findSession, startSession } from '../../src/accounts/sessions/sessions.ts';
import type { Db } from '../../src/storage/db.ts';
import { startManagement } from './management-server.ts';

/** Time between two requests, so that thousands of changes exceed no rate limit. */
const STEP_MS = 1_000;
/** Shorter than the time for which a password confirmation is valid. */
const SIGN_IN_EVERY_MS = 300_000;

export interface FuzzedManagement {
  url: string;
  /** Token of the session cookie. */
  session: string;
  customerId: string;
  /** API key with the scope `manage`. */
  key: string;
  stop(): Promise<void>;
}

/**
 * Starts the management API on a port for a tool that sends thousands of generated requests as one
 * person. The clock advances with every request, and the person is signed in again after a request
 * has ended the session.
 */
export async function startFuzzedManagement(db: Db, role: Role): Promise<FuzzedManagement> {
  let prepare: (request: FastifyRequest) => Promise<void> = () => Promise.resolve();
  const management = await startManagement(db, {
    configuredUrl: null,
    onRequest: (request) => prepare(request),
  });
  const { clock, deps } = management;
  const customerId = await management.customer('Fuzzed');
  const person = await management.person(role, role === 'operator' ? null : customerId);
  const program = await management.program(customerId);
  const url = await management.listen();
  const cookie = person.headers.cookie;
  const [name = '', firstToken = ''] = cookie.split('=');
  let token = firstToken;
  let signedInAt = clock.now();

  prepare = async (request) => {
    await clock.advance(STEP_MS);
    if (request.headers.cookie !== cookie) return;
    const isStale = clock.now() - signedInAt > SIGN_IN_EVERY_MS;
    if (isStale || (await findSession(deps, token)) === null) token = await signIn();
    request.headers.cookie = `${name}=${token}`;
  };

  async function signIn(): Promise<string> {
    signedInAt = clock.now();
    const visitor = { address: '198.51.100.7', userAgent: 'test' };
    const started = await db.transaction((tx) => startSession(tx, deps, person, visitor));
    return started.token;
  }

  return {
    url,
    session: firstToken,
    customerId,
    key: program.key,
    stop: () => management.stop(),
  };
}
