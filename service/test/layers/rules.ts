import { LEVELS, type Place, placeOf } from './slices.ts';
import type { Import, SourceFile } from './source-files.ts';

/** Files that may import modules that reach outside the process or open a store. */
const RESTRICTED_MODULES: readonly { modules: RegExp; files: RegExp; harmlessNames?: RegExp }[] = [
  { modules: /^(pg|@electric-sql\/pglite)($|\/)/, files: /^storage\// },
  { modules: /^@prometheus-io\/client($|\/)/, files: /^platform\/metrics/ },
  {
    modules: /^undici($|\/)/,
    files: /^(platform\/(?:http-client|local-dispatcher)|delivery\/send)/,
  },
  {
    modules: /^node:(http|https|http2)$/,
    files: /^(http\/|platform\/http-client|app\/)/,
    harmlessNames: /^type\b/,
  },
  {
    modules: /^node:(net|tls|dgram)$/,
    // A lock checks whether the control socket of its holder accepts connections.
    files:
      /^(http\/|cli\/|app\/|config\/|platform\/http-client|delivery\/send\/|storage\/folder\/lock-holder)/,
    harmlessNames:
      /^(type\b.*|\{\s*(isIP|isIPv4|isIPv6|BlockList)(,\s*(isIP|isIPv4|isIPv6|BlockList))*,?\s*\})$/,
  },
  {
    modules: /^node:dns(\/promises)?$/,
    files: /^(platform\/http-client|delivery\/send\/)/,
  },
];

/** Parts of the platform without a clock or I/O. The pure domain may use them. */
const PURE_PLATFORM: ReadonlySet<string> = new Set(['platform/instant.ts', 'platform/compare.ts']);

/** Direct access to time and timers. Socket idle timeouts (`socket.setTimeout`) are exempt. */
const TIME =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|(?<!\bsocket\.)\bset(Timeout|Interval)\b|\bhrtime\b/;
const RANDOM = /\bMath\.random\b|\bcrypto\.(random|getRandomValues)/;
const RANDOM_NAMES = /\b(random(Bytes|UUID|Int|Fill|FillSync)|getRandomValues|webcrypto)\b/;

/** Returns one sentence per violation, in file order. */
export function findViolations(sources: readonly SourceFile[]): string[] {
  const files = new Map(sources.map((file) => [file.path, file]));
  return sources.flatMap((file) => [
    ...file.imports.flatMap((target) => checkImport(file, target, files)),
    ...checkTimeAndRandomness(file),
  ]);
}

function checkImport(
  file: SourceFile,
  target: Import,
  files: ReadonlyMap<string, SourceFile>,
): string[] {
  if (target.path === null) return checkModule(file, target);
  if (target.path === '../package.json') return [];
  const from = placeOf(file.path, files);
  const to = placeOf(target.path, files);
  if (from === null) return [`${file.path} is in a folder that the table of layers does not list`];
  if (to === null) return [`${file.path} imports ${target.path}, which belongs to no layer`];
  const reason = forbiddenReason(file.path, from, target.path, to);
  return reason === null ? [] : [`${file.path} imports ${target.path}: ${reason}`];
}

function forbiddenReason(fromPath: string, from: Place, toPath: string, to: Place): string | null {
  if (from.layer !== to.layer) {
    if (from.layer === 'domain' && to.layer === 'platform' && !PURE_PLATFORM.has(toPath)) {
      return 'the domain is pure and may only import platform/instant.ts and platform/compare.ts';
    }
    const isDown = LEVELS[to.layer] < LEVELS[from.layer];
    return isDown ? null : `${from.layer} may not import ${to.layer}`;
  }
  if (to.plugin === null || to.plugin === from.plugin) return null;
  if (fromPath.endsWith('registry.gen.ts')) return null;
  return `${from.plugin ?? 'shared plug-in code'} may not import the plug-in ${to.plugin}`;
}

function checkModule(file: SourceFile, target: Import): string[] {
  const violations: string[] = [];
  for (const restriction of RESTRICTED_MODULES) {
    if (!restriction.modules.test(target.specifier) || restriction.files.test(file.path)) continue;
    if (restriction.harmlessNames?.test(target.names)) continue;
    violations.push(`${file.path} imports ${target.specifier}, which only other files may import`);
  }
  const isCrypto = target.specifier === 'node:crypto' || target.specifier === 'crypto';
  if (isCrypto && RANDOM_NAMES.test(target.names) && file.path !== 'platform/random.ts') {
    violations.push(`${file.path} generates random values; only platform/random.ts does`);
  }
  return violations;
}

function checkTimeAndRandomness(file: SourceFile): string[] {
  const violations: string[] = [];
  if (TIME.test(file.code) && file.path !== 'platform/clock.ts') {
    violations.push(`${file.path} reads the time or sets a timer; only platform/clock.ts does`);
  }
  if (RANDOM.test(file.code) && file.path !== 'platform/random.ts') {
    violations.push(`${file.path} generates random values; only platform/random.ts does`);
  }
  return violations;
}
