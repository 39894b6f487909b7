import { useRead } from '../api/use-read.ts';

/** Returns the names of all datasets and of all sources with data, for use in filters. */
export function useSourceNames(): { datasets: string[]; sources: string[] } {
  const { data } = useRead('coverage', {});
  return {
    datasets: data?.datasets.map(({ dataset }) => dataset) ?? [],
    sources: data?.sources.map(({ name }) => name) ?? [],
  };
}
