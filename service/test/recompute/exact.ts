/** An exact number `over / under`, where `under` is above zero. Deliberately slow and simple. */
export interface Exact {
  over: bigint;
  under: bigint;
}

export function whole(value: number | bigint): Exact {
  return { over: BigInt(value), under: 1n };
}

/** Parses decimal text such as `-12.50`. */
export function exactOf(text: string): Exact {
  const [digits = '', decimals = ''] = text.split('.');
  return { over: BigInt(digits + decimals), under: 10n ** BigInt(decimals.length) };
}

export function plus(a: Exact, b: Exact): Exact {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

export function times(a: Exact, b: Exact): Exact {
  return { over: a.over * b.over, under: a.under * b.under };
}

/** Divides `a` by `b`, which must be above zero. */
export function over(a: Exact, b: Exact): Exact {
  return { over: a.over * b.under, under: a.under * b.over };
}

function minus(a: Exact, b: Exact): Exact {
  return plus(a, { over: -b.over, under: b.under });
}

/**
 * Returns a negative number, zero or a positive number if `a` is less than, equal to or greater
 * than `b`.
 */
export function compare(a: Exact, b: Exact): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function absolute(a: Exact): Exact {
  return a.over < 0n ? { over: -a.over, under: a.under } : a;
}

/** Returns a JSON number with this many decimals, with halves rounded away from zero. */
export function rounded(value: Exact, decimals: number): number {
  const isNegative = value.over < 0n;
  const scaled = (isNegative ? -value.over : value.over) * 10n ** BigInt(decimals);
  let units = scaled / value.under;
  if ((scaled - units * value.under) * 2n >= value.under) units += 1n;
  const text = String(units).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  const number = Number(decimals === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`);
  return isNegative && number !== 0 ? -number : number;
}

/** Returns the difference between `from` and `to`, in percent of `from`. */
export function percentAbove(from: Exact, to: Exact): Exact {
  return over(times(minus(to, from), whole(100)), from);
}
