/** A number without error: `over / under`, `under` above zero. Slow and plain on purpose. */
export interface Exact {
  over: bigint;
  under: bigint;
}

export function whole(value: number | bigint): Exact {
  return { over: BigInt(value), under: 1n };
}

/** Of decimal text such as `-12.50`. */
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

/** `b` above zero. */
export function over(a: Exact, b: Exact): Exact {
  return { over: a.over * b.under, under: a.under * b.over };
}

function minus(a: Exact, b: Exact): Exact {
  return plus(a, { over: -b.over, under: b.under });
}

/** Below, at or above zero as `a` is to `b`. */
export function compare(a: Exact, b: Exact): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function absolute(a: Exact): Exact {
  return a.over < 0n ? { over: -a.over, under: a.under } : a;
}

/** The number of JSON with so many decimals, halves away from zero. */
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

/** How far `to` lies above `from`, in percent. */
export function percentAbove(from: Exact, to: Exact): Exact {
  return over(times(minus(to, from), whole(100)), from);
}
