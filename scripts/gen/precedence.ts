import {
  type Precedence,
  type Rank,
  RANKED_VALUES,
  type RankedValue,
  type Ranks,
  type Tier,
  TIERS,
} from '../../service/src/datasets/rank.ts';
import type { Provider } from '../../service/src/providers/provider.ts';
import { loadModule } from './load-module.ts';
import { GENERATED, type Output } from './output.ts';

/** The order of sources for each value, from the ranks that providers and feeds declare. */
export const precedence: Output = {
  path: 'service/src/datasets/precedence.gen.ts',
  async render(root) {
    const path = 'service/src/providers/registry.gen.ts';
    const source = await loadModule<{ providers: readonly Provider[] }>(root, path);
    return source === null ? null : render(source.providers);
  },
};

function render(providers: readonly Provider[]): string {
  const entries = RANKED_VALUES.map((value) => {
    const { first, last } = precedenceOf(value, providers);
    const key = /\W/.test(value) ? `'${value}'` : value;
    return `  ${key}: {\n    first: [${list(first)}],\n    last: [${list(last)}],\n  },`;
  });
  return [
    GENERATED,
    "import type { Precedence, RankedValue } from './rank.ts';",
    '',
    'export const precedence: Readonly<Record<RankedValue, Precedence>> = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}

function list(names: readonly string[]): string {
  return names.length < 2
    ? names.map((name) => `'${name}'`).join('')
    : `\n${names.map((name) => `      '${name}',\n`).join('')}    `;
}

/** Returns the sources in order. Throws if two of them rank equally. */
export function precedenceOf(value: RankedValue, providers: readonly Provider[]): Precedence {
  const ranked = providers
    .flatMap(({ name, ranks, feeds }) => [
      { name, rank: rankIn(ranks, value) },
      ...feeds.map((feed) => ({ name: `${name}/${feed.name}`, rank: rankIn(feed.ranks, value) })),
    ])
    .flatMap(({ name, rank }) => (rank === null ? [] : [{ name, ...rank }]))
    .toSorted((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || a.order - b.order);
  for (const [index, { name, tier, order }] of ranked.entries()) {
    const before = ranked[index - 1];
    if (before === undefined || before.tier !== tier || before.order !== order) continue;
    throw new Error(
      `${before.name} and ${name} have the same rank for ${value}: ${tier} ${order}. ` +
        'Give one of them another order.',
    );
  }
  const isLast = ({ tier }: { tier: Tier }): boolean => tier === 'provisional';
  return {
    first: ranked.filter((entry) => !isLast(entry)).map(({ name }) => name),
    last: ranked.filter(isLast).map(({ name }) => name),
  };
}

function rankIn(
  ranks: Ranks | undefined,
  value: RankedValue,
): { tier: Tier; order: number } | null {
  const [dataset = ''] = value.split('.');
  const rank: Rank | undefined = ranks?.[value] ?? ranks?.[dataset as keyof Ranks];
  if (rank === undefined) return null;
  const [tier, order = 0] = typeof rank === 'string' ? [rank] : rank;
  return { tier, order };
}
