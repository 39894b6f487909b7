import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { SITE } from './ask.ts';

/**
 * A real proxy with our configuration. The test replaces only names, ports and paths with its own.
 */
export interface RunningProxy {
  /** The URL for requests to the service. */
  url: string;
  /** The clear-text URL; null if there is none. */
  clearUrl: string | null;
  /** Returns everything that the proxy wrote: its output and all files in its folder. */
  logs(): string;
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** An empty folder for everything that the proxy writes. */
  folder: string;
  /** The port of the service. */
  node: number;
  certificate: { key: string; cert: string };
}

/** Debian installs nginx in a folder that is only on root's path. */
const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

/**
 * Returns true if the program is missing. In CI it must exist; elsewhere its tests are skipped
 * without it.
 */
export function isProgramMissing(program: string): boolean {
  return (
    (process.env['CI'] ?? '') === '' && spawnSync(program, ['-v'], { env }).error !== undefined
  );
}

export async function startNginx({
  folder,
  node,
  certificate,
}: ProxyOptions): Promise<RunningProxy> {
  const [tls, clear] = [await freePort(), await freePort()];
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('cert.pem'), certificate.cert);
  writeFileSync(at('key.pem'), certificate.key);
  const site = readWithChanges('../nginx/afterbell.conf', [
    ['listen 80 default_server;', `listen 127.0.0.1:${clear} default_server;`],
    ['listen 80;', `listen 127.0.0.1:${clear};`],
    ['listen 443 ssl http2 default_server;', `listen 127.0.0.1:${tls} ssl http2 default_server;`],
    ['/etc/ssl/earnings.pem', at('cert.pem')],
    ['/etc/ssl/earnings.key', at('key.pem')],
    ['/var/log/nginx/afterbell.log', at('access.log')],
    ['/var/log/nginx/afterbell-error.log', at('error.log')],
    ['server 127.0.0.1:8080', `server 127.0.0.1:${node}`],
  ]);
  writeFileSync(at('site.conf'), site);
  writeFileSync(at('nginx.conf'), nginxConfig(folder));
  const child = spawn('nginx', ['-p', folder, '-c', at('nginx.conf'), '-e', at('main-error.log')], {
    env,
  });
  return watchProxy(child, folder, {
    url: `https://127.0.0.1:${tls}`,
    clearUrl: `http://127.0.0.1:${clear}`,
  });
}

/**
 * Returns the configuration that a Linux distribution puts around a site, with its own logs at
 * their usual levels.
 */
function nginxConfig(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return [
    'daemon off;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/main-error.log;`,
    process.getuid?.() === 0 ? 'user root;' : '',
    'worker_processes 1;',
    'events {}',
    'http {',
    `  access_log ${folder}/main-access.log;`,
    ...temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    `  include ${folder}/site.conf;`,
    '}',
  ].join('\n');
}

/** Starts Caddy in clear text, because it would have to fetch certificates from the internet. */
export async function startCaddy({ folder, node }: ProxyOptions): Promise<RunningProxy> {
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  const site = readWithChanges('../caddy/Caddyfile', [
    ['{\n\tlog {', '{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tlog {'],
    ['to 127.0.0.1:8080', `to 127.0.0.1:${node}`],
  ]);
  writeFileSync(file, site);
  const home = join(folder, 'home');
  mkdirSync(home);
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: { ...env, HOME: home, AFTERBELL_SITE: `http://${SITE}:${port}` },
  });
  return watchProxy(child, folder, { url: `http://127.0.0.1:${port}`, clearUrl: null });
}

/** Replaces the first occurrence of each text, and requires each to exist. */
function readWithChanges(path: string, changes: readonly (readonly [string, string])[]): string {
  let text = readFileSync(new URL(path, import.meta.url), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}

async function watchProxy(
  child: ChildProcess,
  folder: string,
  urls: Pick<RunningProxy, 'url' | 'clearUrl'>,
): Promise<RunningProxy> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let ended: string | null = null;
  const end = once(child, 'close').then(() => (ended = output));
  while (!(await isListening(urls.url))) {
    if (ended !== null) throw new Error(`it ended: ${output}`);
  }
  return {
    ...urls,
    logs: () => {
      const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
      return [output, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))].join('\n');
    },
    async stop() {
      child.kill('SIGTERM');
      await end;
    },
  };
}

/** Returns true if there is any response, even a rejection. */
function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
