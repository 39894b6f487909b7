import type { Endpoint, Parameter } from '../../endpoints/endpoint.ts';
import { exampleCompany, REAL_EXAMPLE_SYMBOL } from '../../endpoints/rows/example-company.ts';

/** The service to which a sample is sent. */
export interface SampleTarget {
  publicUrl: string;
  /** True for a simulated market, which has none of the real companies. */
  isSynthetic: boolean;
}

/** Returns a symbol that probably exists in the service. */
export function sampleSymbol({ isSynthetic }: Pick<SampleTarget, 'isSynthetic'>): string {
  return isSynthetic ? exampleCompany.symbol : REAL_EXAMPLE_SYMBOL;
}

/** Returns the beginning of the symbol, as someone types it into a search box. */
export function searchFor(symbol: string): string {
  return symbol.slice(0, 2);
}

/** Returns a URL that requests sample data, including all required parameters but no API key. */
export function sampleUrl(endpoint: Endpoint, target: SampleTarget): string {
  const sampleParameters = endpoint.parameters.filter(
    (parameter) => parameter.required || isUsefulSample(endpoint, parameter),
  );
  let path = endpoint.path;
  const query: string[] = [];
  for (const parameter of sampleParameters) {
    const value = sampleValue(parameter, sampleSymbol(target));
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, value);
    else query.push(`${parameter.name}=${value}`);
  }
  return `${target.publicUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * Checks whether a sample URL should include the parameter. If no parameter is required, it
 * includes an optional `date` or symbol, as a typical first request would.
 */
function isUsefulSample(endpoint: Endpoint, { kind, name }: Parameter): boolean {
  if (endpoint.parameters.some(({ required }) => required)) return false;
  return (kind === 'date' && name === 'date') || kind === 'symbol';
}

function sampleValue(parameter: Parameter, symbol: string): string {
  switch (parameter.kind) {
    case 'date':
      return parameter.name === 'date' ? 'today' : parameter.name === 'from' ? 'today' : 'tomorrow';
    case 'symbol':
    case 'symbols':
      return symbol;
    case 'text':
      return searchFor(symbol);
    case 'id':
      return parameter.example;
    case 'instant':
      return '2026-11-20T14:30:00Z';
    case 'enum':
      return parameter.values[0] ?? '';
    case 'integer':
      return String(parameter.min);
    case 'decimal':
      return parameter.min;
    case 'boolean':
      return 'true';
  }
}
