import type { SettingProblem } from '../platform/settings.ts';
import { checkDatabaseTls } from './database-tls.ts';
import { checkPublicUrl } from './public-url.ts';

/** Returns the settings that let others on the network read or intercept what they should not. */
export function findExposures(
  settings: Parameters<typeof checkPublicUrl>[0] & {
    databaseUrl: string | null;
    databaseReplicaUrl: string | null;
    gatheringDatabaseUrl: string | null;
    targetDatabaseUrl: string | null;
  },
): SettingProblem[] {
  return [
    checkPublicUrl(settings),
    checkDatabaseTls('DATABASE_URL', settings.databaseUrl),
    checkDatabaseTls('DATABASE_REPLICA_URL', settings.databaseReplicaUrl),
    checkDatabaseTls('GATHERING_DATABASE_URL', settings.gatheringDatabaseUrl),
    checkDatabaseTls('TARGET_DATABASE_URL', settings.targetDatabaseUrl),
  ].filter((problem) => problem !== null);
}
