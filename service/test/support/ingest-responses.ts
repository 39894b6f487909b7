import { createIngest } from '../../src/ingest/ingest.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import type { Db } from '../../src/storage/db.ts';
import { fakeClock } from './fake-clock.ts';

/** Ingests responses received at the given times. */
export async function ingestResponses(
  db: Db,
  ...responses: { url: string; at: number; body: object }[]
): Promise<void> {
  for (const { url, at, body } of responses) {
    const ingest = createIngest({ db, providers, clock: fakeClock(at), onCommit: () => undefined });
    const text = JSON.stringify(body);
    await ingest(
      createSourceResponse({
        url,
        status: 200,
        contentType: 'application/json',
        observedAt: at,
        text,
      }),
    );
  }
}
