import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded into a process with an embedded store to simulate a faulty disk. The content of the
// file AFTERBELL_TEST_DISK selects the fault until the file is removed:
//   full no file can grow, as on a full disk
//   full log writes to the write-ahead log fail as well
//   slow NUMBER each write to the write-ahead log takes this many milliseconds
//
// Reads always succeed.
const faultFile = process.env['AFTERBELL_TEST_DISK'] ?? '';
const originalFs = { ...fs };
const walFiles = new Set<number>();
const pauses = new Int32Array(new SharedArrayBuffer(4));

if (!isMainThread && faultFile !== '') {
  fs.openSync = (path, flags, mode) => {
    const file = originalFs.openSync(path, flags, mode);
    if (/pg_wal\/[0-9A-F]{24}$/.test(String(path))) walFiles.add(file);
    return file;
  };
  fs.closeSync = (file) => {
    walFiles.delete(file);
    originalFs.closeSync(file);
  };
  fs.writeSync = writeSync as typeof fs.writeSync;
  fs.ftruncateSync = (file, length) => {
    if ((length ?? 0) > originalFs.fstatSync(file).size) failIfFull('ftruncate');
    originalFs.ftruncateSync(file, length);
  };
  fs.truncateSync = (path, length) => {
    if ((length ?? 0) > originalFs.statSync(path).size) failIfFull('truncate');
    originalFs.truncateSync(path, length);
  };
}

function writeSync(
  file: number,
  bytes: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number | null,
): number {
  if (walFiles.has(file)) {
    const fault = currentFault();
    if (fault === 'full log') throw noSpace('write');
    if (fault.startsWith('slow ')) Atomics.wait(pauses, 0, 0, Number(fault.slice('slow '.length)));
  }
  const { size } = originalFs.fstatSync(file);
  if ((position ?? size) + length > size) failIfFull('write');
  return originalFs.writeSync(file, bytes, offset, length, position);
}

function failIfFull(call: string): void {
  if (currentFault().startsWith('full')) throw noSpace(call);
}

function currentFault(): string {
  return originalFs.existsSync(faultFile) ? originalFs.readFileSync(faultFile, 'utf8') : '';
}

function noSpace(call: string): Error {
  const facts = { code: 'ENOSPC', errno: -28, syscall: call };
  return Object.assign(new Error(`ENOSPC: no space left on device, ${call}`), facts);
}
