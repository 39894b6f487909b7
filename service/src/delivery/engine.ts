import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import type { PendingRule } from '../webhooks/queue/open-deliveries.ts';
import type { Template } from '../webhooks/templates/template.ts';

/** Dependencies of the delivery engine. */
export interface EngineDeps {
  db: Db;
  clock: Clock;
  random: Random;
  templates: readonly Template[];
  /** Overridden only by tests, to show which failures the default rule prevents. */
  rule?: PendingRule | undefined;
}
