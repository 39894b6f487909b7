import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOST } from '../../src/providers/fmp/request.ts';
import { seededEnv } from './afterbell-process.ts';
import { createAuthority } from './certificates.ts';

const PRELOAD = fileURLToPath(new URL('redirect-host.ts', import.meta.url));

/** A source on this machine that replaces the real source. */
export interface StubSource {
  name: string;
  title: string;
  /** Settings with which a service ingests from this source. */
  env: Readonly<Record<string, string>>;
  /** Paths of the requests received. */
  requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a stub source. `rowsFor` returns the rows for a path with its parameters. */
export async function startStubSource(rowsFor: (url: URL) => object[]): Promise<StubSource> {
  const authority = createAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-source-'));
  const caPath = join(folder, 'authority.pem');
  writeFileSync(caPath, authority.cert);
  const requests: string[] = [];
  const server = createServer(authority.issue({ name: HOST }), (request, response) => {
    const path = request.url ?? '/';
    requests.push(path);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(rowsFor(new URL(path, `https://${HOST}`))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    name: 'fmp',
    title: 'Financial Modeling Prep',
    env: {
      SOURCES: 'fmp',
      FMP_API_KEY: 'key-of-the-stub-source',
      STUB_SOURCE_PORT: String(port),
      NODE_OPTIONS: `${seededEnv().NODE_OPTIONS} --import=${PRELOAD}`,
      NODE_EXTRA_CA_CERTS: caPath,
    },
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
