import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createHttpClient } from '../platform/http-client.ts';
import { seededRandom } from '../platform/random.ts';
import { providers } from '../providers/registry.gen.ts';
import { redactingClient } from './redacting-client.ts';

test.each(['nasdaq', 'yahoo'])(
  "forwards the HTTP client's cooldown and clock for the source %s",
  (name) => {
    const clock = fakeClock(0);
    const client = redactingClient(createHttpClient({ clock, random: seededRandom(1) }), {
      clock,
      providers,
      setting: () => undefined,
    });
    onTestFinished(() => client.close());
    const provider = providers.find((candidate) => candidate.name === name);
    const { hosts = [], limits } = provider ?? {};
    if (limits === undefined) throw new Error(`no provider ${name}`);
    const source = client.source({ name, hosts, limits });
    expect([source.cooldown(), source.clockAheadMs?.()]).toEqual([null, null]);
  },
);
