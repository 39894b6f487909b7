import type { ServeRole } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';

type Addresses = Pick<ServeRole, 'url' | 'demoKey' | 'setupToken'>;

/**
 * Renders the greeting that a service prints when it starts: commands to paste, with the demo key
 * if there is one.
 */
export function renderWelcome(
  role: Addresses & Pick<ServeRole, 'sources'>,
  settings: Settings,
  day: string,
): string {
  const { url, demoKey, sources } = role;
  const key = demoKey ?? '<API_KEY>';
  const lines =
    demoKey === null
      ? [
          sources.length > 0 ? 'Serving live data.' : 'Serving recorded data.',
          `Create an API key: ${createKeyCommand(settings)}`,
        ]
      : [
          'Serving a simulated market of fictional companies.',
          'For real sources, see: npx afterbell start --help',
        ];
  return [
    '',
    ...lines,
    '',
    `  curl '${url}/v1/calendar/earnings?date=${day}&apikey=${key}'`,
    `  curl '${url}/v1/market-status?apikey=${key}'`,
    renderAddresses(role, settings.publicUrl ?? url),
  ].join('\n');
}

/**
 * Renders the URLs of the pages and a one-time link for the first operator. They start with
 * PUBLIC_URL if it is set, because sessions are valid only there.
 */
function renderAddresses({ setupToken }: Pick<Addresses, 'setupToken'>, url: string): string {
  return [
    '',
    `  dashboard  ${url}/dashboard`,
    `  docs       ${url}/docs`,
    `  guides     ${url}/guides`,
    `  status     ${url}/status`,
    ...(setupToken === null
      ? []
      : [`  set up     ${url}/dashboard/set-up#${setupToken} (expires in 30 minutes)`]),
    '',
    '',
  ].join('\n');
}

/** Returns the command that creates an API key for this store. */
export function createKeyCommand(settings: Settings): string {
  return `npx afterbell keys create --plan pro${storeOption(settings)}`;
}

/**
 * Returns the option that lets a command in any folder find this store. A URL of a database may
 * contain a password, so it is not repeated: without a settings file, it is in the environment.
 */
function storeOption({ configFile, databaseUrl, dataDir }: Settings): string {
  if (configFile !== null) return ` --config '${configFile}'`;
  return databaseUrl === null ? ` --data-dir '${dataDir}'` : ' --database-url "$DATABASE_URL"';
}
