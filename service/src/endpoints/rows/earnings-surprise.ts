import type { EarningsEvent } from '../../datasets/earnings/row.ts';
import { epsSurprise, type Surprise } from '../../domain/surprise.ts';

/** Returns the EPS surprise of a report. Unknown if the estimate may be on a different basis. */
export function epsSurpriseOf(event: EarningsEvent): Surprise {
  const estimate = event.isEpsComparable ? event.epsEstimate : null;
  return epsSurprise(event.eps, estimate, event.splitFactor);
}
