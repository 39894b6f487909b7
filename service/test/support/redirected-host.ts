/**
 * Loaded into a service before its own code (`--import`): what goes to the host of a source reaches
 * a stand-in on this machine, which need not be spared. All else is as it is: the client, TLS and
 * its check of the name.
 */
import tls from 'node:tls';
import { provider } from '../../src/providers/fmp/index.ts';

const INTERVAL_MS = 30;

const [host] = provider.hosts;
const port = Number(process.env['STAND_IN_PORT']);
const connect = tls.connect;

if (host !== undefined && port > 0) {
  provider.limits.intervalMsMin = INTERVAL_MS;
  tls.connect = function redirected(...args: unknown[]): tls.TLSSocket {
    const [asked, ...rest] = args;
    const isForIt =
      typeof asked === 'object' && asked !== null && Reflect.get(asked, 'host') === host;
    const placed = isForIt ? { ...asked, host: '127.0.0.1', port } : asked;
    return Reflect.apply(connect, tls, [placed, ...rest]) as tls.TLSSocket;
  };
}
