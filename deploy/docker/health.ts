import { request } from 'node:http';

// node health.ts [URL] exits with 0 if the service in this container is ready, otherwise with 1
//
// Requests the port that serves the pages or, if that port is closed, as with `work` and `ingest`,
// the metrics port. Needs only Node, and prints nothing.

const DEADLINE_MS = 4_000;

const [, , urlArgument] = process.argv;
const urls = urlArgument === undefined ? urlsFrom(process.env) : [urlArgument];
process.exitCode = (await isReady(urls)) ? 0 : 1;

function urlsFrom(env: NodeJS.ProcessEnv): string[] {
  const ports = [settingOf(env, 'PORT') ?? '8080', settingOf(env, 'METRICS_PORT')];
  return ports.flatMap((port) => (port === undefined ? [] : [`http://127.0.0.1:${port}/readyz`]));
}

/**
 * Reads a setting as the service does: the prefixed name takes precedence, and an empty value is
 * treated as unset.
 */
function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return [env[`AFTERBELL_${name}`], env[name]].find((value) => value !== undefined && value !== '');
}

/** Returns true if the service is ready, according to the first URL that responds. */
async function isReady(urls: readonly string[]): Promise<boolean> {
  for (const url of urls) {
    const status = await statusOf(url);
    if (status !== null) return status === 200;
  }
  return false;
}

/** Returns the status, or null if the port is closed. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const outgoing = request(url, { signal: AbortSignal.timeout(DEADLINE_MS) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED' ? null : 0);
    });
    outgoing.end();
  });
}
