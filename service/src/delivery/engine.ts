import type { StandingRule } from '../webhooks/queue/open-deliveries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import type { Template } from '../webhooks/templates/template.ts';

/** What the parts of the engine work with. */
export interface EngineDeps {
  db: Db;
  clock: Clock;
  random: Random;
  templates: readonly Template[];
  /** The house's unless given; another one shows in tests what the house's prevents. */
  rule?: StandingRule | undefined;
}
