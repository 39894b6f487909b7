import type { Log } from '../platform/log.ts';
import type { JournalEntry } from '../storage/commit-journal.ts';
import type { Db, Transaction } from '../storage/db.ts';
import { forward } from '../storage/forward.ts';

/**
 * Writes every committed audit event to the log too, so that a copy leaves the database before
 * anyone can change it there.
 */
export function mirrorAuditEvents(db: Db, log: Log): Db {
  return forward(db, {
    async transaction(work, options) {
      const noted: JournalEntry[] = [];
      const result = await db.transaction((tx) => work(collecting(tx, noted)), options);
      for (const entry of noted) if (entry.kind === 'action') logAction(log, entry);
      return result;
    },
  });
}

function collecting(tx: Transaction, noted: JournalEntry[]): Transaction {
  return {
    __transaction: true,
    query: (...args) => tx.query(...args),
    copy: (...args) => tx.copy(...args),
    note(entries) {
      tx.note?.(entries);
      noted.push(...entries);
    },
  };
}

function logAction(log: Log, entry: Extract<JournalEntry, { kind: 'action' }>): void {
  const { id, action, actor, address, subject, customerId } = entry;
  log.info(
    { event: 'audit.recorded', id, action, actor, address, subject, customerId },
    'audit event recorded',
  );
}
