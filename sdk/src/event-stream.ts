/** A server-sent event. Fields that the event does not have are null. */
export interface StreamEvent {
  id: string | null;
  data: string | null;
  retryMs: number | null;
}

/** A proxy or a lost network may leave a connection open that never delivers anything again. */
const SILENCE_MS_MAX = 60_000;

/**
 * Yields the events of a response as they arrive. An event that is cut off is not returned. Throws
 * a `TypeError` if the connection fails, or delivers not even a heartbeat for a minute.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, SILENCE_MS_MAX);
      if (done) return;
      pending += decoder.decode(value, { stream: true });
      // The service ends lines with LF. A CR before it comes from a proxy.
      const blocks = pending.split(/\r?\n\r?\n/);
      pending = blocks.pop() ?? '';
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): StreamEvent {
  const event: StreamEvent = { id: null, data: null, retryMs: null };
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+): ?([^]*)$/.exec(line) ?? [];
    if (name === 'id') event.id = value;
    if (name === 'data') event.data = event.data === null ? value : `${event.data}\n${value}`;
    if (name === 'retry' && /^\d+$/.test(value)) event.retryMs = Number(value);
  }
  return event;
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  milliseconds: number,
): Promise<Awaited<ReturnType<typeof reader.read>>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TypeError('the stream is silent')), milliseconds);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
