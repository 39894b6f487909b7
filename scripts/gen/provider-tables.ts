import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RANKED_VALUES } from '../../service/src/datasets/rank.ts';
import { formatClockTime } from '../../service/src/domain/market/clock-time.ts';
import type { Moment, Times } from '../../service/src/domain/market/due-times.ts';
import { jobsOf } from '../../service/src/ingest/jobs.ts';
import type { Provider } from '../../service/src/providers/provider.ts';
import { loadModule } from './load-module.ts';
import { markdownTable } from './markdown-table.ts';
import type { Output } from './output.ts';
import { precedenceOf } from './precedence.ts';

/** Tables within documents, between a comment that names them and `<!-- end -->`. */
export const providerTables: readonly Output[] = [
  tableIn('README.md', 'sources', sourcesTable),
  tableIn('docs/ingest.md', 'schedule', scheduleTable),
  tableIn('docs/sources-and-terms.md', 'precedence', precedenceTable),
];

type Render = (providers: readonly Provider[]) => string;

function tableIn(path: string, name: string, render: Render): Output {
  return {
    path,
    async render(root) {
      const registry = 'service/src/providers/registry.gen.ts';
      const source = await loadModule<{ providers: readonly Provider[] }>(root, registry);
      if (source === null || !existsSync(join(root, path))) return null;
      return replaceTable(readFileSync(join(root, path), 'utf8'), name, render(source.providers));
    },
  };
}

function replaceTable(text: string, name: string, table: string): string {
  const start = `<!-- ${name}: written by npm run gen -->\n\n`;
  const end = '\n\n<!-- end -->';
  const [from, to] = [text.indexOf(start), text.indexOf(end, text.indexOf(start))];
  if (from === -1 || to === -1) throw new Error(`no place for the table of ${name}`);
  return text.slice(0, from + start.length) + table + text.slice(to);
}

const MAY_SHOW: Record<Provider['redistribution'], string> = {
  'public-domain': 'yes: public domain',
  allowed: 'yes, under its terms',
  'not-granted': '**no**: no right to redistribute; for your own use',
  'with-contract': 'only with a commercial contract',
  operator: 'as far as your rights go',
  synthetic: 'yes: all simulated',
};

function sourcesTable(providers: readonly Provider[]): string {
  const order = Object.keys(MAY_SHOW);
  const rows = providers
    .toSorted((a, b) => order.indexOf(a.redistribution) - order.indexOf(b.redistribution))
    .map(({ name, provides, redistribution, settings }) => {
      const needsKey = settings.some(({ required, secret }) => required && secret);
      return [`\`${name}\``, provides, needsKey ? 'yes' : 'no', MAY_SHOW[redistribution]];
    });
  return markdownTable([['source', 'provides', 'API key', 'may you show it to others?'], ...rows]);
}

function scheduleTable(providers: readonly Provider[]): string {
  const rows = providers.flatMap((provider) => {
    const jobs = Map.groupBy(jobsOf([provider]), ({ feed }) => feed);
    return provider.feeds.flatMap(({ name, datasets }) => {
      const runs = (jobs.get(name) ?? []).map(({ times, days, everyDays, priority }) => {
        const range = days === undefined ? '' : `, days ${days.from} to ${days.to}`;
        const turn = everyDays === undefined ? '' : `, each request once in ${everyDays} days`;
        return `${describeTimes(times)}${range}${turn} (${priority})`;
      });
      if (runs.length === 0) return [];
      return [[`\`${provider.name}\``, `\`${name}\``, datasets.join(', '), runs.join('; ')]];
    });
  });
  return markdownTable([['source', 'feed', 'fills', 'requested'], ...rows]);
}

const WEEKDAYS = [
  'Sundays',
  'Mondays',
  'Tuesdays',
  'Wednesdays',
  'Thursdays',
  'Fridays',
  'Saturdays',
];

function describeTimes(times: Times): string {
  if (times.kind === 'seasonal') {
    return `in season ${describeTimes(times.inSeason)}, else ${describeTimes(times.offSeason)}`;
  }
  const isDaily = times.kind === 'civil' && times.weekdays.length === WEEKDAYS.length;
  const days = isDaily
    ? 'every day'
    : times.kind === 'civil'
      ? times.weekdays.map((weekday) => WEEKDAYS[weekday]).join(', ')
      : 'session days';
  return `${days} ${describeMoments(times.moments)}`;
}

const LISTED_MAX = 6;

function describeMoments(moments: readonly Moment[]): string {
  const texts = moments.map(describeMoment);
  if (texts.length <= LISTED_MAX) return texts.join(', ');
  const steps = new Set(
    moments.slice(1).map(({ minutes }, i) => minutes - (moments[i]?.minutes ?? 0)),
  );
  const [step] = steps;
  const often =
    steps.size === 1 && step !== undefined ? `every ${step} minutes` : `${texts.length} times`;
  return `${often} from ${texts[0]} to ${texts.at(-1)}`;
}

function describeMoment({ after, minutes }: Moment): string {
  if (after !== 'midnight') return `${after} ${minutes < 0 ? '−' : '+'} ${Math.abs(minutes)} min`;
  return formatClockTime(minutes);
}

function precedenceTable(providers: readonly Provider[]): string {
  const rows = RANKED_VALUES.map((value) => {
    const { first, last } = precedenceOf(value, providers);
    return [`\`${value}\``, [...first, 'others', ...last].join(', ')];
  });
  return markdownTable([['value', 'sources, best first'], ...rows]);
}
