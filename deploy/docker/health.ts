import { request } from 'node:http';

// node health.ts [URL]  ends with 0 when the service of this container is ready, else with 1
//
// Asks the port of the pages, and where none listens there, as with `work` and `ingest`, the port of
// the figures. It stands alone: nothing but Node is needed, and nothing is written.

const DEADLINE_MS = 4_000;

const [, , given] = process.argv;
const urls = given === undefined ? urlsFrom(process.env) : [given];
process.exitCode = (await isReady(urls)) ? 0 : 1;

function urlsFrom(env: NodeJS.ProcessEnv): string[] {
  const ports = [settingOf(env, 'PORT') ?? '8080', settingOf(env, 'METRICS_PORT')];
  return ports.flatMap((port) => (port === undefined ? [] : [`http://127.0.0.1:${port}/readyz`]));
}

/** As the service reads its settings: the longer name wins, and an empty value is none. */
function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return [env[`AFTERBELL_${name}`], env[name]].find((value) => value !== undefined && value !== '');
}

/** The first that answers at all decides. */
async function isReady(urls: readonly string[]): Promise<boolean> {
  for (const url of urls) {
    const status = await statusOf(url);
    if (status !== null) return status === 200;
  }
  return false;
}

/** Null when nobody listens there. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request(url, { signal: AbortSignal.timeout(DEADLINE_MS) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED' ? null : 0);
    });
    asked.end();
  });
}
