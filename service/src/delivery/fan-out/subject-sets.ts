import { lastHolder } from '../../datasets/securities/last-holder.ts';
import { loadSecuritiesBySymbol } from '../../datasets/securities/store.ts';
import type { Queryable } from '../../storage/db.ts';
import {
  loadBaselines,
  loadTemplateSets,
  type TemplateSets,
} from '../../webhooks/subscription/baseline.ts';
import {
  type Membership,
  loadMemberships,
  NO_MEMBERSHIP,
} from '../../webhooks/subscription/membership.ts';
import type { TemplateSymbol } from '../source-data.ts';

/** The company sets that have a subject's company, and its data after the last fan-out. */
export interface SubjectSets {
  /** Empty for a former symbol, because a set has each company under its current symbol. */
  membership: Membership;
  /** Earlier symbols of the company. */
  formerSymbols: readonly string[];
  /** Null if the company had no data. */
  baseline: string | null;
  /** True if the data must be saved as the baseline once the fan-out is complete. */
  keepsBaseline: boolean;
}

/** Returns null for subjects of templates without subscriptions to company sets. */
export type SubjectSetsOf = (subject: TemplateSymbol) => SubjectSets | null;

export async function loadSubjectSets(
  db: Queryable,
  subjects: readonly TemplateSymbol[],
  templateSets: ReadonlyMap<string, TemplateSets> | null = null,
): Promise<SubjectSetsOf> {
  const templateIds = [...new Set(subjects.map(({ template }) => template.templateId))];
  const sets = templateSets ?? (await loadTemplateSets(db, templateIds));
  const isRelevant = ({ template }: TemplateSymbol): boolean =>
    needsSets(sets.get(template.templateId));
  const relevant = subjects.filter(isRelevant);
  if (relevant.length === 0) return () => null;
  const securities = await loadSecuritiesBySymbol(
    db,
    relevant.map(({ symbol }) => symbol),
  );
  const memberships = await loadMemberships(db, securities);
  const symbolsOf = (symbol: string): string[] => {
    const holder = lastHolder(symbol, securities);
    if (holder?.symbol !== symbol) return [symbol];
    return [symbol, ...holder.symbols.map((span) => span.symbol).filter((each) => each !== symbol)];
  };
  const keys = relevant.flatMap(({ template: { templateId }, symbol }) =>
    symbolsOf(symbol).map((each) => ({ templateId, symbol: each })),
  );
  const baselineOf = await loadBaselines(db, keys);
  return (subject) => {
    if (!isRelevant(subject)) return null;
    const { template, symbol } = subject;
    const { templateId } = template;
    const holder = lastHolder(symbol, securities);
    const isCurrent = holder?.symbol === symbol;
    const symbols = symbolsOf(symbol);
    const baselines = symbols.map((each) => baselineOf({ templateId, symbol: each }));
    return {
      membership: isCurrent ? (memberships.get(holder.id) ?? NO_MEMBERSHIP) : NO_MEMBERSHIP,
      formerSymbols: symbols.slice(1),
      baseline: baselines.find((data) => data !== undefined) ?? null,
      keepsBaseline: isCurrent && sets.get(templateId)?.hasBaseline === true,
    };
  };
}

function needsSets(sets: TemplateSets | undefined): boolean {
  return sets !== undefined && (sets.hasSets || sets.hasBaseline);
}
