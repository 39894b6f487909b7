import {
  confirmedShare,
  type Contradiction,
  loadConfirmations,
} from '../../datasets/earnings/load-confirmations.ts';
import { type Check, ok, warning } from './check.ts';
import type { DataCheckDeps } from './check-data.ts';

const EXAMPLES_MAX = 8;
const CHECK = 'press releases';

/** Compares the figures of press releases with those filed later, and names all that differ. */
export async function checkStatedFigures({ db, now }: DataCheckDeps): Promise<Check> {
  const { counts, contradictions, since } = await loadConfirmations(db, now);
  const total = (name: 'confirmed' | 'contradicted' | 'notFiled'): number =>
    counts.reduce((sum, count) => sum + count[name], 0);
  const [confirmed, contradicted] = [total('confirmed'), total('contradicted')];
  const share = confirmedShare({ confirmed, contradicted });
  const waiting = `${total('notFiled')} not filed yet`;
  if (share === null)
    return ok(CHECK, `no figure of quarters since ${since} was filed; ${waiting}`);
  const text =
    `${confirmed} of ${confirmed + contradicted} figures of quarters since ${since} confirmed by ` +
    `XBRL (${(share * 100).toFixed(1)} %); ${waiting}`;
  if (contradictions.length === 0) return ok(CHECK, text);
  const examples = contradictions.slice(0, EXAMPLES_MAX).map(describe).join('; ');
  return warning(
    CHECK,
    `${text}; contradicted: ${examples}`,
    'compare both documents; the filed value replaces the stated one wherever no calendar has a result',
  );
}

function describe(contradiction: Contradiction): string {
  const { symbol, figure, periodEnd, stated, filed, filedIn, documentUrl } = contradiction;
  return `${symbol} ${periodEnd} ${figure} ${stated} (${documentUrl}), filed ${filed} (${filedIn})`;
}
