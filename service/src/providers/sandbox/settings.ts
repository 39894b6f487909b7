import type { ProviderSetting } from '../provider.ts';
import { EDGAR_FAULTS, type EdgarFaultName } from './edgar/faults.ts';

/** Size and seed of a simulated market. */
export interface SandboxOptions {
  seed: number;
  companies: number;
  /** Years of daily bars, or null for the last four months. */
  years: number | null;
  /** Misbehavior of the simulated EDGAR. */
  faults: ReadonlySet<EdgarFaultName>;
}

/** The default number of companies gives every trading day at least five reports. */
export const SANDBOX_DEFAULTS: SandboxOptions = {
  seed: 1,
  companies: 560,
  years: null,
  faults: new Set(),
};

const SYMBOLS = { min: 20, max: 5000 };
const YEARS = { min: 1, max: 5 };
const SEED = { min: 0, max: 2 ** 31 - 1 };

export const sandboxSettings: readonly ProviderSetting[] = [
  {
    ...wholeNumber('SANDBOX_SYMBOLS', SYMBOLS),
    describe: `Number of companies in the simulated market, ${SYMBOLS.min} to ${SYMBOLS.max}. Default: 560.`,
  },
  {
    ...wholeNumber('SANDBOX_YEARS', YEARS),
    describe: `Years of daily bars in the simulated market, ${YEARS.min} to ${YEARS.max}. Default: the last four months.`,
  },
  {
    ...wholeNumber('SANDBOX_SEED', SEED),
    describe: 'Seed of the simulated market; each seed gives a different market. Default: 1.',
  },
  {
    name: 'SANDBOX_FAULTS',
    required: false,
    secret: false,
    describe:
      'Faults of the simulated EDGAR, separated by commas: ' +
      `${EDGAR_FAULTS.join(', ')}; or \`all\`. Default: none.`,
    fix: `set SANDBOX_FAULTS to some of ${EDGAR_FAULTS.join(', ')}, or remove it`,
    accepts: (value) => parseFaults(value) !== null,
  },
];

/** Reads the options from the settings, with defaults. */
export function readSandboxOptions(setting: (name: string) => string | undefined): SandboxOptions {
  const numberSetting = (name: string): number | undefined => {
    const text = setting(name);
    return text === undefined ? undefined : Number(text);
  };
  return {
    seed: numberSetting('SANDBOX_SEED') ?? SANDBOX_DEFAULTS.seed,
    companies: numberSetting('SANDBOX_SYMBOLS') ?? SANDBOX_DEFAULTS.companies,
    years: numberSetting('SANDBOX_YEARS') ?? SANDBOX_DEFAULTS.years,
    faults: parseFaults(setting('SANDBOX_FAULTS') ?? '') ?? SANDBOX_DEFAULTS.faults,
  };
}

/** Parses names separated by commas. Returns null if one is unknown. */
function parseFaults(text: string): ReadonlySet<EdgarFaultName> | null {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 1 && names[0] === 'all') return new Set(EDGAR_FAULTS);
  const faults = names.flatMap((name) => EDGAR_FAULTS.find((fault) => fault === name) ?? []);
  return faults.length === names.length ? new Set(faults) : null;
}

function wholeNumber(name: string, { min, max }: { min: number; max: number }) {
  return {
    name,
    required: false,
    secret: false,
    accepts: (value: string) =>
      /^\d{1,10}$/.test(value) && Number(value) >= min && Number(value) <= max,
    fix: `set ${name} to a whole number from ${min} to ${max}, or remove it`,
  };
}
