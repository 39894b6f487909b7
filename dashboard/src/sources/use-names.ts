import { useRead } from '../api/use-read.ts';

/** Names of the data sets, and of the sources that gave something: choices of filters. */
export function useNames(): { datasets: string[]; sources: string[] } {
  const { data } = useRead('coverage', {});
  return {
    datasets: data?.datasets.map(({ dataset }) => dataset) ?? [],
    sources: data?.sources.map(({ name }) => name) ?? [],
  };
}
