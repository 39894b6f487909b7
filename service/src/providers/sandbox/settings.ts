import type { ProviderSetting } from '../provider.ts';

/** Size and seed of a simulated market. */
export interface SandboxOptions {
  seed: number;
  companies: number;
  /** Years of daily bars, or null for the last four months. */
  years: number | null;
}

/** The default number of companies gives every trading day at least five reports. */
export const SANDBOX_DEFAULTS: SandboxOptions = { seed: 1, companies: 560, years: null };

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
  };
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
