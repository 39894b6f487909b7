import { closeSync, fdatasyncSync, fstatSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];

/**
 * The engine's files on disk, with the syncs that PGlite leaves out: when the engine syncs a file,
 * its data and its name are on the disk. Every file must be durable before the engine opens the
 * folder. After that, only changed files are synced, because the engine syncs all its files after a
 * crash, one by one, which would take seconds.
 */
export class SyncedFiles extends NodeFS {
  override async init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: object) => this.#addSyncs(module)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #addSyncs(module: object): void {
    const files = Reflect.get(module, 'NODEFS') as NodeFiles;
    const changes = new UnsyncedChanges();
    watchFiles(files, changes);
    watchNames(files, changes);
    files.stream_ops.fsync = (stream) => files.tryFSOperation(() => changes.sync(stream));
  }
}

/** Files and folders that have changed since they were last synced. */
class UnsyncedChanges {
  readonly #inodes = new Set<bigint>();
  /** Paths of folders in which a name was added or removed. */
  readonly #folders = new Set<string>();

  addFile(path: string): void {
    this.#inodes.add(lstatSync(path, { bigint: true }).ino);
  }

  addStream({ inode }: Stream): void {
    if (inode !== undefined) this.#inodes.add(inode);
  }

  addFolder(path: string): void {
    this.#folders.add(path);
  }

  removeFolder(path: string): void {
    this.#folders.delete(path);
  }

  /** Syncs an open file and all names. Returns 0, as the engine expects. */
  sync({ inode, nfd }: Stream): number {
    this.syncFolders();
    if (inode !== undefined && this.#inodes.has(inode)) {
      fdatasyncSync(nfd);
      this.#inodes.delete(inode);
    }
    return 0;
  }

  syncFolders(): void {
    for (const folder of this.#folders) this.#syncFolder(folder);
  }

  #syncFolder(path: string): void {
    // Windows cannot open folders and keeps their entries in a journal.
    if (process.platform !== 'win32') {
      const descriptor = openSync(path, 'r');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    }
    this.#folders.delete(path);
  }
}

const WAL_FILE = /\/pg_wal\//;

/** Records changes of the contents of files. */
function watchFiles(
  { node_ops: nodes, stream_ops: streams, realPath, tryFSOperation }: NodeFiles,
  changes: UnsyncedChanges,
): void {
  const { open, write, setattr: setStream } = streams;
  const { setattr } = nodes;
  streams.open = (stream) => {
    open(stream);
    stream.inode = fstatSync(stream.nfd, { bigint: true }).ino;
  };
  streams.write = (stream, ...args) => {
    // The WAL describes created files. If it were on the disk before their names, recovery could
    // find the file of an unlogged table without its template, and would fail.
    if (WAL_FILE.test(stream.path)) tryFSOperation(() => changes.syncFolders());
    changes.addStream(stream);
    return write(stream, ...args);
  };
  streams.setattr = (stream, attributes) => {
    if (attributes.size !== undefined) changes.addStream(stream);
    setStream(stream, attributes);
  };
  nodes.setattr = (node, attributes) => {
    if (attributes.size !== undefined) changes.addFile(realPath(node));
    setattr(node, attributes);
  };
}

/** Records names that are added to folders or removed from them. */
function watchNames({ node_ops: nodes, realPath }: NodeFiles, changes: UnsyncedChanges): void {
  const { mknod, rename, rmdir, symlink, unlink } = nodes;
  nodes.mknod = (parent, name, mode, device) => {
    const folder = realPath(parent);
    changes.addFolder(folder);
    const node = mknod(parent, name, mode, device);
    changes.addFile(join(folder, name));
    return node;
  };
  nodes.rename = (node, newParent, newName) => {
    changes.addFolder(dirname(realPath(node)));
    changes.addFolder(realPath(newParent));
    rename(node, newParent, newName);
  };
  nodes.unlink = (parent, name) => {
    changes.addFolder(realPath(parent));
    unlink(parent, name);
  };
  nodes.rmdir = (parent, name) => {
    changes.addFolder(realPath(parent));
    rmdir(parent, name);
    changes.removeFolder(join(realPath(parent), name));
  };
  nodes.symlink = (parent, name, target) => {
    changes.addFolder(realPath(parent));
    symlink(parent, name, target);
  };
}

/** The part of the engine's file system that is used here. Its published types don't include it. */
interface NodeFiles {
  node_ops: {
    mknod(parent: FileNode, name: string, mode: number, device: number): FileNode;
    rename(node: FileNode, newParent: FileNode, newName: string): void;
    rmdir(parent: FileNode, name: string): void;
    setattr(node: FileNode, attributes: { size?: number }): void;
    symlink(parent: FileNode, name: string, target: string): void;
    unlink(parent: FileNode, name: string): void;
  };
  stream_ops: {
    open(stream: Stream): void;
    write(stream: Stream, ...args: unknown[]): number;
    setattr(stream: Stream, attributes: { size?: number }): void;
    fsync?(stream: Stream): number;
  };
  realPath(node: FileNode): string;
  /** Runs a call and converts its error to one that the engine understands. */
  tryFSOperation<T>(run: () => T): T;
}

interface FileNode {
  parent: FileNode;
}

interface Stream {
  node: FileNode;
  path: string;
  /** The file descriptor. */
  nfd: number;
  /** Identifies the file whatever its name. Set when the stream is opened. */
  inode?: bigint;
}
