import type { Transaction } from '../../storage/db.ts';
import type { DecisionEntry } from './decisions.ts';

export type Decided =
  | { kind: 'decided' }
  | { kind: 'not-found' }
  | { kind: 'accepted-already' }
  /** A bad row that was accepted is an observation like any other by now. */
  | { kind: 'taken-in' }
  /** It is no row at all. */
  | { kind: 'unreadable'; detail: string }
  /** It can be read, and no fact could take it in though the rule was lifted. */
  | { kind: 'no-place'; detail: string };

/** Decides and has it take effect; `also` is part of the same commit. */
export type Decide = (
  entry: DecisionEntry,
  also: (tx: Transaction) => Promise<void>,
) => Promise<Decided>;
