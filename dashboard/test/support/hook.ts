import { reply, startReceiver } from '../../../service/test/support/receiver.ts';

/** A received POST with its raw body. */
export interface Post {
  headers: Headers;
  body: Buffer;
}

export interface HookResponse {
  status: number;
  /** Raw header lines, which may be invalid. */
  headers?: readonly string[];
  body?: string;
}

/** A local webhook receiver that records requests and sends the configured response. */
export interface Hook {
  url: string;
  /** The settings that allow deliveries to this receiver. */
  env: { WEBHOOK_DEV_ALLOW: string };
  /** Returns all requests so far, in order. */
  posts(): Post[];
  /** Sets the response to all later requests. The default is 200 without a body. */
  answerWith(answer: HookResponse): void;
  close(): Promise<void>;
}

export async function openHook(): Promise<Hook> {
  let configured: HookResponse = { status: 200 };
  // Closes the connection after each POST, so that the bytes on a connection belong to one request.
  const { port, received, close } = await startReceiver((socket) => {
    const { status, headers = [], body = '' } = configured;
    socket.end(reply(status, ['Connection: close', ...headers], body));
  });
  return {
    url: `http://127.0.0.1:${port}/hook`,
    env: { WEBHOOK_DEV_ALLOW: `127.0.0.0/8:${port}` },
    posts: () => received.filter((bytes) => bytes.includes(HEAD_END)).map(readPost),
    answerWith(answer) {
      configured = answer;
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
