import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

const SECONDS = 1;
const CONNECTIONS = 32;

/** Headers that Node adds automatically. */
const ADDED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Returns the header list of a response as sent on the wire, type and length first. */
export async function headersOf(url: string): Promise<string[]> {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  response.resume();
  const list: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index] ?? '';
    if (!ADDED.has(name.toLowerCase())) list.push(name, response.rawHeaders[index + 1] ?? '');
  }
  return list;
}

export interface Load {
  perSecond: number;
  /** CPU time per request in the server. */
  cpuMicros: number;
}

export type Child = Awaited<ReturnType<typeof startChild>>;

/** Runs one round. */
export async function measure(server: Child, paths: string | readonly string[]): Promise<Load> {
  const before = await server.cpuMicros();
  const result = await load(server.url, paths, SECONDS);
  const cpuMicros = (await server.cpuMicros()) - before;
  const { total } = result.requests;
  return { perSecond: total / result.duration, cpuMicros: cpuMicros / total };
}

/** Requests the `paths` in turn. Throws on any response without a 2xx status. */
export async function load(url: string, paths: string | readonly string[], seconds: number) {
  const requests = [paths].flat().map((path) => ({ path }));
  const result = await autocannon({ url, requests, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} responses without status 2xx`);
  return result;
}

/**
 * Starts a server in a child process. The server prints its address and replies to a message with
 * its CPU time.
 */
export async function startChild(file: URL, args: readonly string[]) {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('the child process has no stdout');
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async cpuMicros() {
      child.send('cpu');
      const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return usage.user + usage.system;
    },
    stop: () => void child.kill(),
  };
}
