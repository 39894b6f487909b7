import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { pageReply, scriptedHost } from '../../test/support/hosts/scripted-host.ts';
import { ScriptedNetwork } from '../../test/support/hosts/scripted-network.ts';
import { createHttpClient } from './http-client.ts';
import { seededRandom } from './random.ts';

const LIMITS = {
  intervalMsMin: 5000,
  timeoutMs: 1000,
  bodyBytesMax: 1000,
  cooldownMs: 3_600_000,
  isPerHost: true,
};

function startWorld() {
  const clock = fakeClock(0);
  const hostWith = (name: string, status: number) =>
    scriptedHost({
      names: [name],
      limits: [],
      check: () => null,
      serve: () => pageReply(status, 'a page'),
    });
  const hosts = [hostWith('open.example', 200), hostWith('closed.example', 403)];
  const dispatcher = new ScriptedNetwork(clock, hosts);
  const client = createHttpClient({ clock, random: seededRandom(1), dispatcher });
  const names = hosts.flatMap(({ names: own }) => own);
  const source = client.source({ name: 'agencies', hosts: names, limits: LIMITS });
  const fetch = (host: string) => source.fetch({ url: `https://${host}/a`, headers: {} });
  return { clock, hosts, source, fetch };
}

test('requests one host while another one refuses', async () => {
  const { clock, hosts, source, fetch } = startWorld();
  expect(await fetch('closed.example')).toMatchObject({
    reason: 'blocked',
    retryAt: 3_600_000,
    isHostOnly: true,
  });
  expect(await fetch('open.example')).toMatchObject({ kind: 'response' });
  expect(await fetch('closed.example')).toMatchObject({ reason: 'blocked' });
  expect(hosts.map(({ requests }) => requests.length)).toEqual([1, 1]);
  expect(source.cooldown()).toBeNull();
  expect(source.refused?.()).toMatchObject({ reason: 'blocked' });
  await clock.advance(1);
});

test('cools down as a whole once every host refuses, until the first one may be requested', async () => {
  const { clock, source, fetch } = startWorld();
  await fetch('closed.example');
  await clock.advance(1000);
  await fetch('open.example');
  source.refused?.();
  expect(source.cooldown()).toEqual({ reason: 'blocked', retryAt: 3_600_000 });
});

test('waits between requests to one host, but not between hosts', async () => {
  const { clock, hosts, fetch } = startWorld();
  const results = Promise.all([
    fetch('open.example'),
    fetch('open.example'),
    fetch('closed.example'),
  ]);
  await clock.advance(5000);
  await results;
  expect(hosts.map(({ requests }) => requests.map(({ atMs }) => atMs))).toEqual([[0, 5000], [0]]);
});

test('rejects a host that the source does not list', async () => {
  const { fetch } = startWorld();
  await expect(fetch('other.example')).rejects.toThrow('not a listed host');
});
