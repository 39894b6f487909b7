import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentWorld, receiver, nextTurn } from '../support/agent-world.ts';
import {
  type Authority,
  type Certificate,
  isOpensslMissing,
  createAuthority,
} from '../support/certificates.ts';
import { deliverToUrls } from '../support/recorded-attempts.ts';
import { reply } from '../support/receiver.ts';
import { runSize } from '../support/run-size.ts';
import { emptyStore, memoryStore } from '../support/stores.ts';
import type { Db } from '../../src/storage/db.ts';

const NAME = 'hooks.example.com';
const EACH = runSize({ slice: 3, whole: 100 });

interface Fault {
  name: string;
  tls?: () => TlsOptions;
  /** Handles the connection instead of a TLS handshake. */
  onConnection?: (socket: Socket) => void;
  code: 'tls' | 'timeout';
  detail: RegExp;
  stalls?: boolean;
}

const OLD = { ciphers: 'DEFAULT@SECLEVEL=0' };
/** A TLS handshake record whose length field announces more bytes than follow. */
const HALF_HELLO = Buffer.from('16030300500200004c0303', 'hex');

describe.skipIf(isOpensslMissing())('delivery over broken TLS', () => {
  let authority: Authority;
  let good: Certificate;
  let db: Db;

  beforeAll(async () => {
    authority = createAuthority();
    good = authority.issue({ name: NAME });
    db = await memoryStore();
  });
  afterAll(() => db.close());

  const faults: Fault[] = [
    {
      name: 'an expired certificate',
      tls: () =>
        authority.issue({
          name: NAME,
          days: -1,
        }),
      code: 'tls',
      detail: /has expired/,
    },
    {
      name: 'a certificate for another name',
      tls: () => authority.issue({ name: 'other.example.com' }),
      code: 'tls',
      detail: /for another host name/,
    },
    {
      name: 'a self-signed certificate',
      tls: () => authority.selfSigned(NAME),
      code: 'tls',
      detail: /self-signed/,
    },
    {
      name: 'TLS 1.0 only',
      tls: () => ({
        ...good,
        ...OLD,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1',
      }),
      code: 'tls',
      detail: /version/,
    },
    {
      name: 'TLS 1.1 only',
      tls: () => ({
        ...good,
        ...OLD,
        minVersion: 'TLSv1.1',
        maxVersion: 'TLSv1.1',
      }),
      code: 'tls',
      detail: /version/,
    },
    {
      name: 'plain HTTP',
      onConnection: (socket) => void socket.once('data', () => socket.end(reply(200))),
      code: 'tls',
      detail: /does not support TLS/,
    },
    {
      name: 'plain HTTP before any request',
      onConnection: (socket) => void socket.write(reply(200)),
      code: 'tls',
      detail: /does not support TLS/,
    },
    {
      name: 'a redirect to plain HTTP',
      onConnection: (socket) =>
        void socket.once('data', () => socket.end(reply(301, [`Location: http://${NAME}/`]))),
      code: 'tls',
      detail: /does not support TLS/,
    },
    {
      name: 'a reset during the handshake',
      onConnection: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      code: 'tls',
      detail: /closed the connection during/,
    },
    {
      name: 'silence',
      onConnection: () => undefined,
      code: 'timeout',
      detail: /in time/,
      stalls: true,
    },
    {
      name: 'half a handshake',
      onConnection: (socket) => void socket.once('data', () => socket.write(HALF_HELLO)),
      code: 'timeout',
      detail: /in time/,
      stalls: true,
    },
  ];

  test.each(faults)(
    'refuses to deliver over $name, records the cause and sends nothing unencrypted',
    async (fault) => {
      await emptyStore(db);
      const tls = fault.tls?.();
      const received: Buffer[] = [];
      let connections = 0;
      const hostile = await receiver((socket) => void socket.write(reply(200)), {
        ...(tls === undefined ? {} : { tls }),
        onConnection(socket) {
          connections += 1;
          // Raw bytes from the wire, whether encrypted or not.
          if (tls === undefined) socket.on('data', (piece: Buffer) => void received.push(piece));
          fault.onConnection?.(socket);
        },
      });
      const world = agentWorld({
        allow: [`127.0.0.1:${hostile.port}`],
        addresses: ['127.0.0.1'],
        extraCa: authority.cert,
      });
      const urls = Array.from(
        { length: EACH },
        (_, n) => `https://${NAME}:${hostile.port}/in/${n}`,
      );
      const meanwhile = async (): Promise<void> => {
        while (fault.stalls === true && received.length < EACH) await nextTurn();
        if (fault.stalls === true) await world.clock.advance(5_000);
      };
      const rows = await deliverToUrls(db, world, { urls, meanwhile });
      expect(rows).toHaveLength(EACH);
      for (const row of rows) {
        expect(row).toMatchObject({
          state: 'retrying',
          status: null,
          code: fault.code,
          body: null,
        });
        expect(row.detail).toMatch(fault.detail);
      }
      // The agent must not retry without TLS or with an older TLS version.
      expect(connections).toBe(EACH);
      const bytes = Buffer.concat([...received, ...hostile.received]).toString('latin1');
      for (const secret of ['POST', '/in/', 'Signature', 'epsEstimate'])
        expect(bytes).not.toContain(secret);
      await hostile.closed();
    },
  );
});
