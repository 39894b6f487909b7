import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort, isProgramMissing } from './proxies.ts';

const WEST = `eds_live_Ab3d${'x'.repeat(30)}wxyz`;
const EAST = `eds_live_Ab3d${'y'.repeat(30)}qqqq`;
const ROUTES = ['eds_live_Ab3dqqqq east', 'eds_live_Ab3dwxyz west'];

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

interface Site {
  folder: string;
  port: number;
  /** The configuration with the ports of the test. */
  config: string;
}

const PROXIES = {
  nginx: {
    file: '../nginx/afterbell-cells.conf',
    map: '/etc/nginx/afterbell-routes.map',
    lineEnd: ';',
    start({ folder, port, config }: Site): ChildProcess {
      const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://$afterbell_cell; } }`;
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      writeFileSync(
        join(folder, 'nginx.conf'),
        `daemon off; pid ${folder}/pid; error_log ${folder}/log; events {}
         http { access_log off; ${temporary.join(' ')} ${config} ${server} }`,
      );
      return run('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', `${folder}/log`]);
    },
  },
  caddy: {
    file: '../caddy/afterbell-cells.caddy',
    map: '/etc/caddy/afterbell-routes.map',
    lineEnd: '',
    start({ folder, port, config }: Site): ChildProcess {
      writeFileSync(join(folder, 'cells.caddy'), config);
      writeFileSync(
        join(folder, 'Caddyfile'),
        `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {\n\timport cells.caddy\n}\n`,
      );
      return run('caddy', ['run', '--config', join(folder, 'Caddyfile')], folder);
    },
  },
};

describe.for(Object.entries(PROXIES).filter(([name]) => !isProgramMissing(name)))(
  'cells behind %s',
  ([, proxy]) => {
    test('receive the requests of their API keys, in a header or the query', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'afterbell-cells-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(
        join(folder, 'routes.map'),
        ROUTES.map((line) => `${line}${proxy.lineEnd}\n`).join(''),
      );
      const config = read(proxy.file)
        .replaceAll(proxy.map, join(folder, 'routes.map'))
        .replace('10.0.1.1:8080', `127.0.0.1:${await startCell('east')}`)
        .replace('10.0.2.1:8080', `127.0.0.1:${await startCell('west')}`);
      const port = await freePort();
      const child = proxy.start({ folder, port, config });
      onTestFinished(() => void child.kill('SIGKILL'));
      const send = async (path: string, headers: Record<string, string>): Promise<string> =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text();
      await expect
        .poll(() => send('/', {}).catch(() => 'starting'), { timeout: 20_000 })
        .toBe('east');
      for (const [key, cell] of [
        [WEST, 'west'],
        [EAST, 'east'],
      ] as const) {
        expect(await send('/v1/earnings', { 'X-Api-Key': key })).toBe(cell);
        expect(await send('/v1/earnings', { Authorization: `Bearer ${key}` })).toBe(cell);
        expect(await send(`/v1/earnings?symbol=A&apikey=${key}`, {})).toBe(cell);
      }
      expect(await send('/', { 'X-Api-Key': 'none' })).toBe('east');
    });
  },
);

/** Starts a server that responds with the name of its cell. Returns its port. */
async function startCell(name: string): Promise<number> {
  const server = createServer((_request, response) => response.end(name));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function run(program: string, args: string[], home = tmpdir()): ChildProcess {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin`;
  return spawn(program, args, { stdio: 'ignore', env: { PATH: path, HOME: home } });
}
