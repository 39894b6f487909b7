import type { ServeRole } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';

type Addresses = Pick<ServeRole, 'url' | 'demoKey' | 'setupToken'>;

/** What a start prints for a person: lines to paste, with a key that works where there is one. */
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
          sources.length > 0 ? 'Live data.' : 'Recorded data.',
          `Make a key with: npx afterbell keys create --plan pro${storeOption(settings)}`,
        ]
      : ['A simulated market of fictional companies; real sources: npm start -- --help'];
  return [
    '',
    ...lines,
    '',
    `  curl '${url}/v1/calendar/earnings?date=${day}&apikey=${key}'`,
    `  curl '${url}/v1/market-status?apikey=${key}'`,
    renderAddresses(role),
  ].join('\n');
}

/** Where its pages are, and how the first operator comes in. */
function renderAddresses({ url, setupToken }: Omit<Addresses, 'demoKey'>): string {
  return [
    '',
    `  dashboard  ${url}/dashboard`,
    `  docs       ${url}/docs`,
    `  guides     ${url}/guides`,
    `  status     ${url}/status`,
    ...(setupToken === null
      ? []
      : [`  set up     ${url}/dashboard/set-up#${setupToken} (opens for 30 minutes)`]),
    '',
    '',
  ].join('\n');
}

/** So that a command typed elsewhere finds this very store. */
function storeOption({ databaseUrl, dataDir }: Settings): string {
  return databaseUrl === null ? ` --data-dir '${dataDir}'` : '';
}
