import type { ReactNode } from 'react';
import { encode } from 'uqr';

/** The width of the quiet zone in modules, as required by the QR standard. */
const BORDER = 4;

/** A QR code, which is always dark on white because many apps can't read inverted codes. */
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

/** Returns an SVG path with a rectangle for each run of dark modules in a row. */
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
