import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What receivers have seen, as a process of their own wrote it down. */
export interface Ledger {
  newest: ReadonlyMap<string, number>;
  answered: ReadonlySet<string>;
  wrong: readonly string[];
  posts: number;
}

/** Receivers in a process that nobody kills: their ledger is beside worker and store. */
export interface LedgerProcess {
  port: number;
  /** Posts so far. */
  posts(): Promise<number>;
  ledger(): Promise<Ledger>;
  /** From now on every POST is answered 204. */
  calm(): Promise<void>;
  stop(): void;
}

export type LedgerAsk = 'posts' | 'ledger' | 'calm';

/** As the process sends it: one of the fields for each question. */
export interface LedgerTold {
  port?: number;
  posts?: number;
  ledger?: { newest: [string, number][]; answered: string[]; wrong: string[]; posts: number };
}

export async function startLedger(orders: {
  secret: string;
  seed: number;
}): Promise<LedgerProcess> {
  const script = fileURLToPath(new URL('./webhook-ledger-child.ts', import.meta.url));
  const child = fork(script, [JSON.stringify(orders)]);
  const { port = 0 } = await told();

  async function told(): Promise<LedgerTold> {
    const [message] = (await once(child, 'message')) as [LedgerTold];
    return message;
  }

  /** One question at a time: an answer carries no name. */
  async function ask(question: LedgerAsk): Promise<LedgerTold> {
    const answer = told();
    child.send(question);
    return answer;
  }

  return {
    port,
    posts: async () => (await ask('posts')).posts ?? 0,
    async ledger() {
      const { ledger } = await ask('ledger');
      if (ledger === undefined) throw new Error('the receivers did not show their ledger');
      const { newest, answered, ...rest } = ledger;
      return { ...rest, newest: new Map(newest), answered: new Set(answered) };
    },
    calm: async () => void (await ask('calm')),
    stop: () => void child.kill('SIGKILL'),
  };
}
