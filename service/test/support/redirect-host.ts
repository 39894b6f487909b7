/**
 * Preloaded into a service with `--import`. Redirects connections for the source's host to a stub
 * on this machine and shortens the request interval. The HTTP client, TLS and the certificate check
 * are unchanged.
 */
import tls from 'node:tls';
import { provider } from '../../src/providers/fmp/index.ts';

const INTERVAL_MS = 30;

const [host] = provider.hosts;
const port = Number(process.env['STUB_SOURCE_PORT']);
const connect = tls.connect;

if (host !== undefined && port > 0) {
  provider.limits.intervalMsMin = INTERVAL_MS;
  tls.connect = function redirected(...args: unknown[]): tls.TLSSocket {
    const [options, ...rest] = args;
    const isSource =
      typeof options === 'object' && options !== null && Reflect.get(options, 'host') === host;
    const target = isSource ? { ...options, host: '127.0.0.1', port } : options;
    return Reflect.apply(connect, tls, [target, ...rest]) as tls.TLSSocket;
  };
}
