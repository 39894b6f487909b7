import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** Modules of quiet zone around the code, as its standard wants. */
const BORDER = 4;

/**
 * A text as a picture that phones read. Always dark on white, whatever the colours of the page: many
 * apps do not read the reverse.
 */
export function QrPicture(props: { text: string; says: string; size?: number }): ReactNode {
  const { text, says, size = 200 } = props;
  const { data, size: side } = encode(text, { ecc: 'M', border: BORDER });
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={says}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" rx={1} />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

/** One rectangle for each run of dark modules in a row. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1] === true) return [];
        const end = row.indexOf(false, x);
        const length = (end === -1 ? row.length : end) - x;
        return [`M${x} ${y}h${length}v1h-${length}z`];
      }),
    )
    .join('');
}
