import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Random } from '../../../src/platform/random.ts';
import type { LoggedRecord } from './disk-log.ts';

/** Disks write sectors of this size as a whole or not at all. */
const SECTOR = 512;

/** Decides which syncs the disk ignores, as if the program had left them out. */
export type IgnoresSync = (path: string, isFolder: boolean) => boolean;

/**
 * A disk that has executed recorded operations and can lose power. Only synced data and names are
 * certain to survive. Of every file, each sector has its synced content or that of any later write,
 * and the file any size it had since. Every name in a folder leads to what it led to when the
 * folder was synced, or at any time since.
 */
export class CrashDisk {
  readonly #root: string;
  readonly #ignoresSync: IgnoresSync;
  readonly #tree = new Folder();
  readonly #opened = new Map<number, { node: Node; path: string }>();

  /** The disk starts with these files, all of them durable. */
  constructor(root: string, files: FileTree, ignoresSync: IgnoresSync = () => false) {
    this.#root = root;
    this.#ignoresSync = ignoresSync;
    for (const [path, content] of files) {
      this.#setEntry(path, content === null ? new Folder() : new File(content));
    }
    this.#tree.syncAll();
  }

  apply(record: LoggedRecord): void {
    switch (record.op) {
      case 'open':
        return this.#open(record);
      case 'write':
        return this.#file(record.file)?.write(record.offset, record.data);
      case 'replace': {
        const file = new File();
        file.write(0, record.data);
        return this.#setEntry(record.path, file);
      }
      case 'resize':
        return this.#file(record.file)?.resize(record.size);
      case 'resize-path': {
        const node = this.#find(record.path);
        if (node instanceof File) node.resize(record.size);
        return;
      }
      case 'sync':
        return this.#sync(record.file);
      case 'mkdir':
        if (this.#find(record.path) === undefined) this.#setEntry(record.path, new Folder());
        return;
      case 'link':
        return this.#setEntry(record.to, this.#find(record.path));
      case 'rename':
        this.#setEntry(record.to, this.#find(record.path));
        return this.#setEntry(record.path, undefined);
      case 'remove':
        return this.#setEntry(record.path, undefined);
      case 'note':
        return;
    }
  }

  /** Writes the files that are left after a power failure at this moment into an empty folder. */
  crashInto(folder: string, random: Random): void {
    this.#tree.crashInto(folder, random);
  }

  #open({ file, path, isEmptied }: LoggedRecord & { op: 'open' }): void {
    let node = this.#find(path);
    if (node === undefined) this.#setEntry(path, (node = new File()));
    else if (isEmptied && node instanceof File) node.resize(0);
    this.#opened.set(file, { node, path });
  }

  #sync(file: number): void {
    const opened = this.#opened.get(file);
    if (opened === undefined) return;
    const { node, path } = opened;
    if (!this.#ignoresSync(path, node instanceof Folder)) node.sync();
  }

  #file(descriptor: number): File | null {
    const node = this.#opened.get(descriptor)?.node;
    return node instanceof File ? node : null;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#tree;
    for (const name of relative(this.#root, path).split('/')) {
      if (name === '') continue;
      node = node instanceof Folder ? node.entries.get(name) : undefined;
    }
    return node;
  }

  #setEntry(path: string, node: Node | undefined): void {
    const folder = this.#find(dirname(path));
    if (folder instanceof Folder) folder.set(basename(path), node);
  }
}

type Node = File | Folder;

class Folder {
  readonly entries = new Map<string, Node>();
  #durable = new Map<string, Node>();
  /** The targets of each changed name since the last sync, oldest first. */
  readonly #changes = new Map<string, (Node | undefined)[]>();

  set(name: string, node: Node | undefined): void {
    if (node === undefined) this.entries.delete(name);
    else this.entries.set(name, node);
    const changes = this.#changes.get(name) ?? [this.#durable.get(name)];
    changes.push(node);
    this.#changes.set(name, changes);
  }

  sync(): void {
    this.#durable = new Map(this.entries);
    this.#changes.clear();
  }

  syncAll(): void {
    this.sync();
    for (const node of this.entries.values()) if (node instanceof Folder) node.syncAll();
  }

  crashInto(path: string, random: Random): void {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const left = new Map<string, Node | undefined>(this.#durable);
    for (const [name, states] of this.#changes) left.set(name, states[random.int(states.length)]);
    for (const [name, node] of left) node?.crashInto(join(path, name), random);
  }
}

interface Write {
  offset: number;
  data: Uint8Array;
}

class File {
  #durable: Buffer;
  #size: number;
  #writes: Write[] = [];
  /** Sizes since the last sync, oldest first. */
  #sizes: number[];

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.#durable = content;
    this.#size = content.length;
    this.#sizes = [content.length];
  }

  write(offset: number | null, data: Uint8Array): void {
    const at = offset ?? this.#size;
    this.#writes.push({ offset: at, data });
    if (at + data.byteLength > this.#size) this.#setSize(at + data.byteLength);
  }

  resize(size: number): void {
    // Sectors behind the new end are read as zeros if the file grows again.
    if (size < this.#size)
      this.#writes.push({ offset: size, data: new Uint8Array(this.#size - size) });
    this.#setSize(size);
  }

  sync(): void {
    if (this.#writes.length > 0 || this.#size !== this.#durable.length) {
      const content = Buffer.alloc(this.#size);
      this.#durable.copy(content);
      for (const { offset, data } of this.#writes)
        content.set(data.subarray(0, Math.max(0, this.#size - offset)), offset);
      this.#durable = content;
      this.#writes = [];
    }
    this.#sizes = [this.#size];
  }

  crashInto(path: string, random: Random): void {
    writeFileSync(path, this.#crash(random), { mode: 0o600 });
  }

  #crash(random: Random): Buffer {
    const isUnchanged = this.#writes.length === 0 && this.#sizes.length === 1;
    if (isUnchanged) return this.#durable;
    const content = Buffer.alloc(this.#sizes[random.int(this.#sizes.length)] ?? 0);
    this.#durable.copy(content);
    // Most files lose all of their last writes, or none, or any sectors of them.
    const survivors = [0, 1, random.int(100) / 100][random.int(3)] ?? 0;
    for (const { offset, data } of this.#writes)
      writeSectors(content, { offset, data }, () => random.int(1_000) < survivors * 1_000);
    return content;
  }

  #setSize(size: number): void {
    this.#size = size;
    this.#sizes.push(size);
  }
}

function writeSectors(content: Buffer, { offset, data }: Write, survives: () => boolean): void {
  const end = Math.min(content.length, offset + data.byteLength);
  for (let at = offset; at < end;) {
    const sectorEnd = Math.min(end, at - (at % SECTOR) + SECTOR);
    if (survives()) content.set(data.subarray(at - offset, sectorEnd - offset), at);
    at = sectorEnd;
  }
}

/** Files by path, each folder before its files. A folder has no content. */
export type FileTree = ReadonlyMap<string, Buffer | null>;

export function readTree(root: string): FileTree {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile() || entry.isDirectory());
  return new Map(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path) : null];
    }),
  );
}
