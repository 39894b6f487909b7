import fs, { type PathLike } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { appendToDiskLog, type DiskRecord } from './disk-log.ts';

// Preloaded into a process with an embedded store to record everything it does to the files below
// AFTERBELL_TEST_RECORDED, in all its threads. Appends each operation to the file
// AFTERBELL_TEST_DISK_LOG after it has succeeded, so the order of the log is the order of the
// operations of each thread.
const root = process.env['AFTERBELL_TEST_RECORDED'] ?? '';
const original = { ...fs };
const promises = { ...fs.promises };
const log = root === '' ? -1 : fs.openSync(process.env['AFTERBELL_TEST_DISK_LOG'] ?? '', 'a');
/** Position of the next write through a file handle, by descriptor. */
const positions = new Map<number, number>();
const recorded = new Set<number>();

function append(record: DiskRecord, data?: Uint8Array): void {
  appendToDiskLog(log, record, data, original.appendFileSync);
}

function isRecorded(path: PathLike): boolean {
  return String(path).startsWith(`${root}/`) || String(path) === root;
}

function opened(descriptor: number, path: PathLike, flags: string | number): void {
  if (!isRecorded(path)) return void recorded.delete(descriptor);
  recorded.add(descriptor);
  positions.set(descriptor, 0);
  const isEmptied =
    typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : flags.startsWith('w');
  append({ op: 'open', file: descriptor, path: String(path), isEmptied });
}

function wrote(file: number, data: Uint8Array, offset: number | null): void {
  if (recorded.has(file)) append({ op: 'write', file, offset }, data);
}

function synced(file: number): void {
  if (recorded.has(file)) append({ op: 'sync', file });
}

if (root !== '') {
  recordThread();
  recordPromises();
  syncBuiltinESMExports();
}

/** Records the calls of the engine's thread. */
function recordThread(): void {
  fs.openSync = (path, flags, mode) => {
    const descriptor = original.openSync(path, flags, mode);
    opened(descriptor, path, flags);
    return descriptor;
  };
  fs.writeSync = ((
    file: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ) => {
    const written = original.writeSync(file, bytes, offset, length, position);
    const view = Buffer.from(bytes.buffer, bytes.byteOffset + offset, written);
    wrote(file, view, position);
    return written;
  }) as typeof fs.writeSync;
  fs.ftruncateSync = (file, size) => {
    original.ftruncateSync(file, size);
    if (recorded.has(file)) append({ op: 'resize', file, size: size ?? 0 });
  };
  fs.truncateSync = (path, size) => {
    original.truncateSync(path, size);
    if (isRecorded(path)) append({ op: 'resize-path', path: String(path), size: size ?? 0 });
  };
  fs.writeFileSync = ((path: string, data: string, options: object) => {
    original.writeFileSync(path, data, options);
    if (isRecorded(path)) append({ op: 'replace', path }, Buffer.from(data));
  }) as typeof fs.writeFileSync;
  fs.fsyncSync = (file) => {
    original.fsyncSync(file);
    synced(file);
  };
  fs.fdatasyncSync = (file) => {
    original.fdatasyncSync(file);
    synced(file);
  };
  fs.mkdirSync = ((path: string, options: object) => {
    const made = original.mkdirSync(path, options);
    if (isRecorded(path)) append({ op: 'mkdir', path });
    return made;
  }) as typeof fs.mkdirSync;
  for (const name of ['unlinkSync', 'rmdirSync'] as const) {
    fs[name] = (path: PathLike) => {
      original[name](path);
      if (isRecorded(path)) append({ op: 'remove', path: String(path) });
    };
  }
  fs.renameSync = (from, to) => {
    original.renameSync(from, to);
    if (isRecorded(to)) append({ op: 'rename', path: String(from), to: String(to) });
  };
}

/** Records the calls of the service itself. */
function recordPromises(): void {
  fs.promises.open = async (path, flags = 'r', mode) => {
    const handle = await promises.open(path, flags, mode);
    opened(handle.fd, path, flags);
    recordHandle(handle);
    return handle;
  };
  fs.promises.mkdir = (async (path: string, options: object) => {
    const first = await promises.mkdir(path, options);
    if (isRecorded(path)) append({ op: 'mkdir', path });
    return first;
  }) as typeof fs.promises.mkdir;
  fs.promises.link = async (from, to) => {
    await promises.link(from, to);
    if (isRecorded(to)) append({ op: 'link', path: String(from), to: String(to) });
  };
  fs.promises.rename = async (from, to) => {
    await promises.rename(from, to);
    if (isRecorded(to)) append({ op: 'rename', path: String(from), to: String(to) });
  };
  fs.promises.unlink = async (path) => {
    await promises.unlink(path);
    if (isRecorded(path)) append({ op: 'remove', path: String(path) });
  };
  fs.promises.rm = async (path, options) => {
    await promises.rm(path, options);
    if (isRecorded(path)) append({ op: 'remove', path: String(path) });
  };
}

/** A file is written here from its start to its end. */
function recordHandle(handle: FileHandle): void {
  const { fd } = handle;
  const { writeFile, appendFile, sync } = handle;
  const writes = (write: typeof writeFile) => async (data: string | Uint8Array) => {
    await write.call(handle, data);
    const bytes = Buffer.from(data as Uint8Array);
    const offset = positions.get(fd) ?? 0;
    positions.set(fd, offset + bytes.length);
    wrote(fd, bytes, offset);
  };
  handle.writeFile = writes(writeFile) as typeof writeFile;
  handle.appendFile = writes(appendFile) as typeof appendFile;
  handle.sync = async () => {
    await sync.call(handle);
    synced(fd);
  };
}
