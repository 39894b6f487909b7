import { lastHolder } from '../datasets/securities/last-holder.ts';
import type { Security } from '../datasets/securities/row.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import { serializeData } from '../webhooks/message/payload.ts';
import type { Template, TemplateContext, TemplateData } from '../webhooks/templates/template.ts';

/** The subject of a subscription: one template applied to one company. */
export interface TemplateSymbol {
  template: Template;
  symbol: string;
}

/**
 * Returns the data for a subject as text, or null if there is none. Equal data always gives equal
 * text.
 */
export type SourceData = (subject: TemplateSymbol) => string | null;

/**
 * Loads the current data for subjects from the store, as of `now`. `securities` may have all that
 * ever had one of the symbols.
 */
export async function loadSourceData(
  db: Queryable,
  subjects: readonly TemplateSymbol[],
  now: Instant,
  securities: readonly Security[] | null = null,
): Promise<SourceData> {
  const symbols = [...new Set(subjects.map(({ symbol }) => symbol))];
  const holders = securities ?? (await loadSecuritiesBySymbol(db, symbols));
  const securityOf = securitiesBySymbol(holders, symbols);
  const texts = new Map<string, string>();
  for (const [template, group] of Map.groupBy(subjects, (subject) => subject.template)) {
    const ids = new Set(group.flatMap(({ symbol }) => securityOf.get(symbol) ?? []));
    for (const [securityId, data] of await buildMany(template, { db, now }, [...ids])) {
      texts.set(keyOf(template, securityId), serializeData(template.fields, data));
    }
  }
  return ({ template, symbol }) => {
    const securityId = securityOf.get(symbol);
    return securityId === undefined ? null : (texts.get(keyOf(template, securityId)) ?? null);
  };
}

async function buildMany(
  template: Template,
  context: TemplateContext,
  securityIds: readonly string[],
): Promise<ReadonlyMap<string, TemplateData>> {
  if (template.buildMany !== undefined) return template.buildMany(context, securityIds);
  const dataBySecurity = new Map<string, TemplateData>();
  for (const securityId of securityIds) {
    const data = await template.build(context, securityId);
    if (data !== null) dataBySecurity.set(securityId, data);
  }
  return dataBySecurity;
}

/**
 * Resolves each symbol to the company that last held it, so that renaming a company does not end a
 * subscription.
 */
function securitiesBySymbol(
  securities: readonly Security[],
  symbols: readonly string[],
): Map<string, string> {
  const holders = new Map(symbols.map((symbol): [string, Set<Security>] => [symbol, new Set()]));
  for (const security of securities) {
    for (const { symbol } of security.symbols) holders.get(symbol)?.add(security);
  }
  const securityIds = new Map<string, string>();
  for (const [symbol, candidates] of holders) {
    const holder = lastHolder(symbol, [...candidates]);
    if (holder !== null) securityIds.set(symbol, holder.id);
  }
  return securityIds;
}

function keyOf(template: Template, securityId: string): string {
  return `${template.templateId} ${securityId}`;
}
