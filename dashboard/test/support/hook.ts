import { reply, startReceiver } from '../../../service/test/support/receiver.ts';

/** A POST as it came: its bytes before anything read them. */
export interface Post {
  headers: Headers;
  body: Buffer;
}

export interface HookAnswer {
  status: number;
  /** Lines as they go out; need not be well-behaved. */
  headers?: readonly string[];
  body?: string;
}

/** A receiver on the loopback that keeps what it got and answers what it is told to. */
export interface Hook {
  url: string;
  /** What lets a service deliver to it. */
  env: { WEBHOOK_DEV_ALLOW: string };
  /** So far, in their order. */
  posts(): Post[];
  /** From the next POST on; 200 without a body until something is said. */
  answerWith(answer: HookAnswer): void;
  close(): Promise<void>;
}

export async function openHook(): Promise<Hook> {
  let told: HookAnswer = { status: 200 };
  // A connection for each POST, so that what came over one is one.
  const { port, received, close } = await startReceiver((socket) => {
    const { status, headers = [], body = '' } = told;
    socket.end(reply(status, ['Connection: close', ...headers], body));
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    env: { WEBHOOK_DEV_ALLOW: `127.0.0.0/8:${port}` },
    posts: () => received.filter((bytes) => bytes.includes(HEAD_END)).map(readPost),
    answerWith(answer) {
      told = answer;
    },
    close,
  };
}

const HEAD_END = '\r\n\r\n';

function readPost(bytes: Buffer): Post {
  const end = bytes.indexOf(HEAD_END);
  const [, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: bytes.subarray(end + HEAD_END.length) };
}
