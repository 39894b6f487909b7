import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FactDataset } from '../api/calls.gen.ts';
import styles from './dataset-tabs.module.css';

export function DatasetTabs(props: {
  datasets: readonly FactDataset[];
  value: string;
  onChange: (dataset: string) => void;
}): ReactNode {
  const { datasets, value, onChange } = props;
  return (
    <Tabs value={value} onChange={(dataset) => dataset !== null && onChange(dataset)}>
      <Tabs.List aria-label="Datasets" className={styles['tabs']}>
        {datasets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {datasetLabel(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

/** Returns the label of a dataset, for example `Economic events` for `economic-events`. */
function datasetLabel(name: string): string {
  if (name === 'ipos') return 'IPOs';
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
}
