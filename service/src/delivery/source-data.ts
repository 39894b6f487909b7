import { lastHolder } from '../datasets/securities/last-holder.ts';
import type { Security } from '../datasets/securities/row.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import { serialiseData } from '../webhooks/message/payload.ts';
import type { Instant } from '../platform/instant.ts';
import type { Queryable } from '../storage/db.ts';
import type { Template, TemplateContext, TemplateData } from '../webhooks/templates/template.ts';

/** What a subscriber is told of: one template about one company. */
export interface TemplateSymbol {
  template: Template;
  symbol: string;
}

/** The data of each, as text that is equal for equal data; null when there is nothing to speak of. */
export type SourceData = (wanted: TemplateSymbol) => string | null;

/** Builds the data of companies as they stand in the store at this moment, or stand at `now`. */
export async function loadSourceData(
  db: Queryable,
  wanted: readonly TemplateSymbol[],
  now: Instant,
): Promise<SourceData> {
  const symbols = [...new Set(wanted.map(({ symbol }) => symbol))];
  const securityOf = securitiesBySymbol(await loadSecuritiesBySymbol(db, symbols), symbols);
  const texts = new Map<string, string>();
  for (const [template, ofTemplate] of Map.groupBy(wanted, (one) => one.template)) {
    const ids = new Set(ofTemplate.flatMap(({ symbol }) => securityOf.get(symbol) ?? []));
    for (const [securityId, data] of await buildMany(template, { db, now }, [...ids])) {
      texts.set(keyOf(template, securityId), serialiseData(template.fields, data));
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
  const built = new Map<string, TemplateData>();
  for (const securityId of securityIds) {
    const data = await template.build(context, securityId);
    if (data !== null) built.set(securityId, data);
  }
  return built;
}

/** Whom a subscribed symbol means: its last holder, so that a renaming ends no subscription. */
function securitiesBySymbol(
  securities: readonly Security[],
  symbols: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  const holdersOf = new Map(symbols.map((symbol): [string, Set<Security>] => [symbol, new Set()]));
  for (const one of securities) {
    for (const { symbol } of one.symbols) holdersOf.get(symbol)?.add(one);
  }
  for (const [symbol, all] of holdersOf) {
    const meant = lastHolder(symbol, [...all]);
    if (meant !== null) found.set(symbol, meant.id);
  }
  return found;
}

function keyOf(template: Template, securityId: string): string {
  return `${template.templateId} ${securityId}`;
}
