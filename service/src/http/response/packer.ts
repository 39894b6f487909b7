import { brotliCompress, constants, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import type { Encoding } from './etag.ts';
import type { CachedResponse } from './cached-response.ts';

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Shorter bodies gain nothing: they fit in one packet as they are. */
const SIZE_MIN_BYTES = 1_024;
/** Brotli 5 packs as well as gzip 9 at the speed of gzip 6; above it the time doubles per step. */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
const WAITING_MAX = 1_000;

/** Encodes stored bodies off the event loop, one at a time so that reads keep the other threads. */
export interface Compressor {
  /** The encoding to send now: the wanted one if it is ready; else plain, and it is made meanwhile. */
  choose(answer: CachedResponse, wanted: Encoding): Encoding;
  /** Resolves when nothing is being encoded. */
  idle(): Promise<void>;
}

export function createCompressor(): Compressor {
  const asked = new WeakMap<CachedResponse, Set<Encoding>>();
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  function choose(answer: CachedResponse, wanted: Encoding): Encoding {
    if (answer.encoded.has(wanted)) return wanted;
    if (answer.body.length >= SIZE_MIN_BYTES) ask(answer, wanted);
    return 'identity';
  }

  function ask(answer: CachedResponse, encoding: Encoding): void {
    let encodings = asked.get(answer);
    if (encodings === undefined) asked.set(answer, (encodings = new Set()));
    if (encodings.has(encoding) || waiting >= WAITING_MAX) return;
    encodings.add(encoding);
    waiting += 1;
    last = last.then(() => pack(answer, encoding)).finally(() => (waiting -= 1));
  }

  return { choose, idle: () => last };
}

async function pack(answer: CachedResponse, encoding: Encoding): Promise<void> {
  const packed =
    encoding === 'br'
      ? await brotliAsync(answer.body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: answer.body.length,
          },
        })
      : await gzipAsync(answer.body, { level: GZIP_LEVEL });
  answer.encoded.set(encoding, packed);
}
