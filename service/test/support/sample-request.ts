/** A valid request to a route. */
export interface Sample {
  /** Path parameter values, in the order in which they appear in the path. */
  params?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
  /** Expected status if the call cannot succeed once operators exist. */
  status?: number;
}

/** Returns a sample request's URL. */
export function addressOf(path: string, { params = [], query = {} }: Sample): string {
  let index = 0;
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[index++] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}
