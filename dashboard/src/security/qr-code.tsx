import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** The quiet zone in modules, as the QR standard requires. */
const BORDER = 4;

/** A QR code. Always dark on white, since many apps can't read inverted codes. */
export function QrCode(props: { text: string; label: string; size?: number }): ReactNode {
  const { text, label, size = 200 } = props;
  const { data, size: side } = encode(text, { ecc: 'M', border: BORDER });
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" rx={1} />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}

/** A rectangle for each run of dark modules in a row. */
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
