import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The record that the receivers keep in their own process. */
export interface Ledger {
  latestCounts: ReadonlyMap<string, number>;
  acknowledgedIds: ReadonlySet<string>;
  violations: readonly string[];
  posts: number;
}

/**
 * Receivers in a process that is never killed, so their ledger outlives the worker and the store.
 */
export interface LedgerProcess {
  port: number;
  /** Returns the number of posts so far. */
  posts(): Promise<number>;
  ledger(): Promise<Ledger>;
  /** Makes the receivers respond to every later POST with 204. */
  calm(): Promise<void>;
  /** See `Receivers.allowOlderData`. */
  allowOlderData(): Promise<void>;
  stop(): void;
}

export type LedgerRequest = 'posts' | 'ledger' | 'calm' | 'allow-older';

/** Reply from the ledger process. Only one field is set, depending on the request. */
export interface LedgerReply {
  port?: number;
  posts?: number;
  ledger?: {
    latestCounts: [string, number][];
    acknowledgedIds: string[];
    violations: string[];
    posts: number;
  };
}

export async function startLedger(options: {
  secret: string;
  seed: number;
}): Promise<LedgerProcess> {
  const script = fileURLToPath(new URL('./webhook-ledger-child.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(options)]);
  const { port = 0 } = await nextReply();

  async function nextReply(): Promise<LedgerReply> {
    const [reply] = (await once(child, 'message')) as [LedgerReply];
    return reply;
  }

  /** Sends one request at a time, because replies have no id. */
  async function request(name: LedgerRequest): Promise<LedgerReply> {
    const reply = nextReply();
    child.send(name);
    return reply;
  }

  return {
    port,
    posts: async () => (await request('posts')).posts ?? 0,
    async ledger() {
      const { ledger } = await request('ledger');
      if (ledger === undefined) throw new Error('the receivers did not send their ledger');
      const { latestCounts, acknowledgedIds, ...rest } = ledger;
      return {
        ...rest,
        latestCounts: new Map(latestCounts),
        acknowledgedIds: new Set(acknowledgedIds),
      };
    },
    calm: async () => void (await request('calm')),
    allowOlderData: async () => void (await request('allow-older')),
    stop: () => void child.kill('SIGKILL'),
  };
}
