import { connect } from 'node:net';
import { systemClock } from '../../../src/platform/clock.ts';

const HANGING_MS = 60_000;

/**
 * Sends bytes on a new connection and resolves with the response when the server has closed it.
 * `isHung` is true if the server does not close it within a minute. `halfClose` ends the client's
 * side after the bytes.
 */
export function sendRaw(
  port: number,
  {
    bytes,
    halfClose = false,
    from,
  }: { bytes: string; halfClose?: boolean; from?: string | undefined },
): Promise<{ text: string; isHung: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let isHung = false;
    const socket = connect({
      port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    const timer = systemClock().setTimer(HANGING_MS, () => {
      isHung = true;
      socket.destroy();
    });
    if (halfClose) socket.end(bytes, 'latin1');
    else socket.write(bytes, 'latin1');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      timer.cancel();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isHung });
    });
  });
}

/** Returns loopback addresses to send from. There is only one if the platform has no more. */
export function loopbackAddresses(count: number): string[] {
  if (process.platform !== 'linux') return ['127.0.0.1'];
  return Array.from({ length: count }, (_, index) => {
    return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
  });
}
