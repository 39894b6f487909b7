import type { Metrics } from '../../platform/metrics.ts';
import { hashingLoad } from './password-hash.ts';

/** Exports metrics for the queue in which passwords are hashed. */
export function registerHashingMetrics(metrics: Metrics): void {
  metrics.gauge(
    {
      name: 'afterbell_password_hashes_waiting',
      help: 'Passwords that wait to be hashed. From 20 on, others are rejected.',
    },
    () => [{ value: hashingLoad().waiting }],
  );
  metrics.counterOf(
    {
      name: 'afterbell_password_hashes_rejected_total',
      help: 'Sign-ins and new passwords rejected because too many others were waiting.',
    },
    () => [{ value: hashingLoad().rejected }],
  );
}
