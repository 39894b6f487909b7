import { useEffect } from 'react';
import { brand } from '../../theme/brand.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title]);
}
