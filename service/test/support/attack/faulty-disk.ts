import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded before anything else, into a process with an embedded store: the disk that the store's thread
// writes to. What the file of AFTERBELL_TEST_DISK says happens until the file is gone:
//   full          no file grows any more, as on a disk without a free block
//   full log      nor is anything written to the log of the store
//   slow NUMBER   each write to the log takes so many milliseconds
// Reading back what was written goes on as ever.
const order = process.env['AFTERBELL_TEST_DISK'] ?? '';
const real = { ...fs };
const logs = new Set<number>();
const pauses = new Int32Array(new SharedArrayBuffer(4));

if (!isMainThread && order !== '') {
  fs.openSync = (path, flags, mode) => {
    const file = real.openSync(path, flags, mode);
    if (/pg_wal\/[0-9A-F]{24}$/.test(String(path))) logs.add(file);
    return file;
  };
  fs.closeSync = (file) => {
    logs.delete(file);
    real.closeSync(file);
  };
  fs.writeSync = writeSync as typeof fs.writeSync;
  fs.ftruncateSync = (file, length) => {
    if ((length ?? 0) > real.fstatSync(file).size) refuseWhenFull('ftruncate');
    real.ftruncateSync(file, length);
  };
  fs.truncateSync = (path, length) => {
    if ((length ?? 0) > real.statSync(path).size) refuseWhenFull('truncate');
    real.truncateSync(path, length);
  };
}

function writeSync(
  file: number,
  bytes: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number | null,
): number {
  if (logs.has(file)) {
    const said = saidNow();
    if (said === 'full log') throw noSpace('write');
    if (said.startsWith('slow ')) Atomics.wait(pauses, 0, 0, Number(said.slice('slow '.length)));
  }
  const { size } = real.fstatSync(file);
  if ((position ?? size) + length > size) refuseWhenFull('write');
  return real.writeSync(file, bytes, offset, length, position);
}

function refuseWhenFull(call: string): void {
  if (saidNow().startsWith('full')) throw noSpace(call);
}

function saidNow(): string {
  return real.existsSync(order) ? real.readFileSync(order, 'utf8') : '';
}

function noSpace(call: string): Error {
  const facts = { code: 'ENOSPC', errno: -28, syscall: call };
  return Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), facts);
}
