import { createServer } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { explainListenError, type ListenAddress } from './listen-error.ts';

export const HTTP_SETTINGS = { host: 'HOST', port: '--port or PORT' };
export const METRICS_SETTINGS = { host: 'METRICS_HOST', port: 'METRICS_PORT' };

type PortSettings = Pick<Settings, 'databaseUrl' | 'host' | 'port' | 'metricsHost' | 'metricsPort'>;

/**
 * Throws SettingsError if a port that this process will listen on is in use. Runs before the store
 * is opened: a release started beside an older one must not migrate their shared database and then
 * fail. The embedded store needs no such check, because only one process can open it.
 */
export async function rejectUsedPorts(
  { databaseUrl, host, port, metricsHost, metricsPort }: PortSettings,
  { servesHttp }: { servesHttp: boolean },
): Promise<void> {
  if (databaseUrl === null) return;
  if (servesHttp) {
    await tryPort({ host, port, settings: HTTP_SETTINGS, otherPort: metricsPort });
  }
  await tryPort({ host: metricsHost, port: metricsPort, settings: METRICS_SETTINGS });
}

async function tryPort(address: ListenAddress): Promise<void> {
  if (address.port !== null && address.port !== 0) await bindPort(address);
}

/** Listens on a port and stops again. Returns the port, which the system chooses if it is 0. */
export function bindPort(address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(explainListenError(error, address)));
    probe.listen(address.port ?? 0, address.host, () => {
      const bound = probe.address();
      probe.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : 0));
    });
  });
}
