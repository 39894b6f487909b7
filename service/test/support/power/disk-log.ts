import { appendFileSync, readFileSync } from 'node:fs';

/** An operation on the recorded files. `file` is a descriptor, and `offset` null appends. */
export type DiskRecord =
  | { op: 'open'; file: number; path: string; isEmptied: boolean }
  | { op: 'write'; file: number; offset: number | null }
  | { op: 'replace'; path: string }
  | { op: 'resize'; file: number; size: number }
  | { op: 'resize-path'; path: string; size: number }
  | { op: 'sync'; file: number }
  | { op: 'mkdir'; path: string }
  | { op: 'link'; path: string; to: string }
  | { op: 'rename'; path: string; to: string }
  | { op: 'remove'; path: string }
  /** Results that clients had seen by then. */
  | { op: 'note'; seen: object };

export type LoggedRecord = DiskRecord & { data: Uint8Array };

/** Adds one operation to a log in one call, because several threads and processes add to it. */
export function appendToDiskLog(
  log: string | number,
  record: DiskRecord,
  data: Uint8Array = new Uint8Array(0),
  append = appendFileSync,
): void {
  const head = Buffer.from(JSON.stringify(record));
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(head.length, 0);
  sizes.writeUInt32LE(data.byteLength, 4);
  append(log, Buffer.concat([sizes, head, data]));
}

/** Reads the log that `disk-recorder.ts` writes. */
export function readDiskLog(file: string): LoggedRecord[] {
  const bytes = readFileSync(file);
  const records: LoggedRecord[] = [];
  for (let at = 0; at < bytes.length;) {
    const headEnd = at + 8 + bytes.readUInt32LE(at);
    const end = headEnd + bytes.readUInt32LE(at + 4);
    const head = JSON.parse(bytes.toString('utf8', at + 8, headEnd)) as DiskRecord;
    records.push({ ...head, data: bytes.subarray(headEnd, end) });
    at = end;
  }
  return records;
}
