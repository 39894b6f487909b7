import { createServer } from 'node:http';
import { type Settings, SettingsError } from '../../config/settings.ts';
import type { AppOptions } from '../context.ts';
import { warnOfExposures } from '../exposures-warning.ts';
import { serveMetrics } from '../metrics.ts';
import { bindPort, HTTP_SETTINGS, rejectUsedPorts } from '../used-ports.ts';
import type { Listening } from './messages.ts';
import { createNodeMetrics, type NodeMetrics } from './node-metrics.ts';
import { type ChildHandle, Supervisor } from './supervisor.ts';

interface NodeOptions extends Pick<AppOptions, 'settings' | 'clock' | 'log' | 'shutdown'> {
  count: number;
  launch(): ChildHandle;
}

/**
 * Starts processes that serve one port, and METRICS_PORT for all of them. Resolves when all serve, or
 * with null if the shutdown began first. Throws `SettingsError` before any process starts, or
 * `ProcessStartError`.
 */
export async function startServeNode(options: NodeOptions): Promise<Listening | null> {
  const { clock, log, shutdown, count } = options;
  const { signal: closing } = shutdown;
  warnOfExposures(options);
  const settings = await withPort(options.settings);
  let isStarted = false;
  let metrics: NodeMetrics | null = null;
  const supervisor = new Supervisor({
    clock,
    log,
    count,
    launch(process) {
      const child = options.launch();
      child.send({ kind: 'start', settings: shifted(settings, clock.now()), process });
      return child;
    },
    onEnded: (number) => metrics?.onEnded(number),
  });
  if (settings.metricsPort !== null) {
    metrics = createNodeMetrics({ clock, supervisor, closing, isStarted: () => isStarted });
    shutdown.register('process metrics', metrics.stop);
    await serveMetrics({ settings, log, shutdown, metrics, readiness: metrics });
  }
  shutdown.register('processes', async () => {
    if (!(await supervisor.stop())) throw new Error('a serving process did not end in order');
  });
  const listening = await supervisor.start();
  isStarted = true;
  return listening;
}

/** Settings with the port that all processes will share. */
async function withPort(settings: Settings): Promise<Settings> {
  await rejectUsedPorts(settings, { servesHttp: true });
  const { host } = settings;
  const port = await bindPort({ host, port: settings.port, settings: HTTP_SETTINGS });
  await requireSharedPorts({ host, port });
  return { ...settings, port };
}

/** Throws `SettingsError` on a system whose processes cannot share a port. */
function requireSharedPorts(address: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOTSUP' ? new SettingsError([NO_SHARED_PORTS]) : error);
    });
    probe.listen({ ...address, reusePort: true }, () => probe.close(() => resolve()));
  });
}

const NO_SHARED_PORTS = {
  problem: 'processes cannot share a port on this system (SERVE_PROCESSES)',
  fix: 'set SERVE_PROCESSES to 1, or use Linux or FreeBSD',
};

/** A process that starts later must not start at NOW again. */
function shifted(settings: Settings, now: number): Settings {
  return settings.now === null ? settings : { ...settings, now };
}
