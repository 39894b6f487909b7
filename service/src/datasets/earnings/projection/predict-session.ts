import type { SessionMarker } from '../observation.ts';
import type { PastReport } from './report-context.ts';

/** The session in which a company will probably report. */
export interface PredictedSession {
  /** `time-not-supplied` if no session is likely enough. */
  time: SessionMarker;
  /** Probability of `time`, or of the likeliest session if none is likely enough. */
  probability: number;
}

const REPORTS_MAX = 8;
/** Weight of an older report relative to the next one. */
const DECAY = 0.7;
/** Weight of the assumption that every session is as likely as any other. */
const PRIOR_WEIGHT = 0.15;
const PROBABILITY_MIN = 0.75;
const SESSIONS: readonly SessionMarker[] = [
  'time-pre-market',
  'time-after-hours',
  'time-during-market',
];

/** Returns the session of the company's last reports, if most of them had the same one. */
export function predictSession(reports: readonly PastReport[]): PredictedSession {
  const times = reports
    .map(({ time }) => time)
    .filter((time) => time !== 'time-not-supplied')
    .slice(-REPORTS_MAX)
    .toReversed();
  const weights = new Map(SESSIONS.map((session) => [session, PRIOR_WEIGHT / SESSIONS.length]));
  let total = PRIOR_WEIGHT;
  for (const [index, time] of times.entries()) {
    const weight = DECAY ** index;
    weights.set(time, (weights.get(time) ?? 0) + weight);
    total += weight;
  }
  const [likeliest] = [...weights].toSorted((a, b) => b[1] - a[1]);
  const probability = (likeliest?.[1] ?? 0) / total;
  const isLikely = likeliest !== undefined && times.length > 0 && probability >= PROBABILITY_MIN;
  return { time: isLikely ? likeliest[0] : 'time-not-supplied', probability };
}
