import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { type Instruction, parseCommand, parseCopy, parseEnv, type Stage } from './dockerfile.ts';

/** The run-time configuration of an image. The folder `root` is the image's `/`. */
export interface Image {
  root: string;
  workdir: string;
  env: Readonly<Record<string, string>>;
  user: string | null;
  entry: readonly string[];
  command: readonly string[];
  health: readonly string[];
}

export interface BuildOptions {
  /** The build context: the repository, filtered by `.dockerignore`. */
  context: string;
  /** An empty folder in which each stage gets its own folder. */
  scratch: string;
  env: Readonly<Record<string, string>>;
  say: (line: string) => void;
}

/**
 * Folders at the root of an image that our steps refer to. All other folders are taken from the
 * machine.
 */
const OWN_FOLDERS = /(^|[\s=])(?=\/(?:app|data|usr\/local)(?:\/|\s|$))/g;

/**
 * Runs the steps of a Dockerfile in folders instead of containers and returns the last stage. The
 * machine provides the contents of the base image. Throws if a step fails or is unknown.
 */
export function buildImage(stages: readonly Stage[], options: BuildOptions): Image {
  const built = new Map<string, Image>();
  let image: Image | null = null;
  for (const [index, stage] of stages.entries()) {
    const name = stage.name ?? `stage-${index}`;
    image = emptyImage(join(options.scratch, name));
    for (const instruction of stage.instructions) {
      options.say(`${name}: ${instruction.keyword} ${instruction.rest}`);
      image = step(image, instruction, built, options);
    }
    built.set(name, image);
  }
  if (image === null) throw new Error('no stage');
  return image;
}

function emptyImage(root: string): Image {
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  const nothing = { entry: [], command: [], health: [] };
  return { root, workdir: '/', env: {}, user: null, ...nothing };
}

function step(
  image: Image,
  { keyword, rest }: Instruction,
  built: ReadonlyMap<string, Image>,
  options: BuildOptions,
): Image {
  switch (keyword) {
    case 'WORKDIR':
      mkdirSync(join(image.root, rest), { recursive: true });
      return { ...image, workdir: rest };
    case 'COPY':
      copy(image, rest, built, options.context);
      return image;
    case 'RUN':
      run(image, rest, options);
      return image;
    case 'ENV':
      return { ...image, env: { ...image.env, ...parseEnv(rest) } };
    case 'USER':
      return { ...image, user: rest };
    case 'HEALTHCHECK':
      return { ...image, health: parseCommand(rest) };
    case 'ENTRYPOINT':
      return { ...image, entry: parseCommand(rest) };
    case 'CMD':
      return { ...image, command: parseCommand(rest) };
    case 'EXPOSE':
    case 'LABEL':
    case 'VOLUME':
      return image;
    default:
      throw new Error(`a step that is not known here: ${keyword}`);
  }
}

/**
 * Copies the contents of a folder into the target. A single file keeps its name if the target ends
 * in a slash.
 */
function copy(
  { root, workdir }: Image,
  rest: string,
  built: ReadonlyMap<string, Image>,
  context: string,
): void {
  const { from, sources, to } = parseCopy(rest);
  const origin = from === null ? context : built.get(from)?.root;
  if (origin === undefined) throw new Error(`no stage ${from}`);
  const target = join(root, posix.resolve(workdir, to));
  for (const source of sources) {
    const path = join(origin, source);
    const isFile = statSync(path).isFile();
    const goal = isFile && to.endsWith('/') ? join(target, basename(source)) : target;
    cpSync(path, goal, { recursive: true, verbatimSymlinks: true });
  }
}

function run({ root, workdir, env }: Image, command: string, options: BuildOptions): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', inFolder(ownUser(command), root)], {
    cwd: join(root, workdir),
    env: { ...options.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout}${stderr}`);
}

/** Replaces paths in the image with paths on this machine. */
export function inFolder(text: string, root: string): string {
  return text.replaceAll(OWN_FOLDERS, `$1${root}`);
}

/**
 * Replaces the owner in a command with the ids from `runner`, since only root can change a file's
 * owner.
 */
function ownUser(command: string): string {
  const { uid, gid } = runner('1000:1000');
  return command.replace('-o 1000', `-o ${uid}`).replace('-g 1000', `-g ${gid}`);
}

/**
 * Returns the ids of the user that runs this image: the image's own user if this process is root,
 * otherwise the user of this process.
 */
export function runner(user: string): { uid: number; gid: number } {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  const self = process.getuid?.() ?? 0;
  return self === 0 ? { uid, gid } : { uid: self, gid: process.getgid?.() ?? self };
}
