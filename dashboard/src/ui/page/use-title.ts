import { useEffect } from 'react';
import { brand } from '../../theme/brand.ts';

/** What stands on the tab of the browser and in its history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title]);
}
