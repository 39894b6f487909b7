import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { Panel } from '../ui/page/panel.tsx';
import { DetailList } from '../ui/values/detail-list.tsx';
import styles from './document-panel.module.css';

type StatedIn = NonNullable<QuarantinedRowDetail['document']>;
type Cell = NonNullable<StatedIn['excerpt']>[number][number];

/** Shows the part of a document from which a figure was read, with the figure highlighted. */
export function DocumentPanel({ document }: { document: StatedIn }): ReactNode {
  const { figure, value, row, column, excerpt, url } = document;
  const labels = [
    { name: 'Figure', value: figure },
    { name: 'Value', value },
    { name: column === null ? 'Sentence' : 'Row', value: row },
    ...(column === null ? [] : [{ name: 'Column', value: column }]),
  ];
  return (
    <Panel
      title="Document"
      aside={
        url.startsWith('https://') && (
          <Anchor href={url} size="sm" rel="noreferrer" target="_blank">
            Open document
          </Anchor>
        )
      }
    >
      <DetailList items={labels} />
      {excerpt === null ? (
        <Text size="sm" c="dimmed" mt="md">
          The value was not found in the archived document.
        </Text>
      ) : (
        <section className={styles['scroll']} tabIndex={0} aria-label="Excerpt">
          <table className={styles['excerpt']}>
            <caption className={styles['caption']}>Part of the document around the value</caption>
            <tbody>
              {excerpt.map((line, index) => (
                <tr key={index}>
                  {line.map((cell, place) => (
                    <td key={place} colSpan={cell.columns}>
                      <CellText cell={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  );
}

function CellText({ cell: { text, highlight } }: { cell: Cell }): ReactNode {
  if (highlight === null) return text;
  const { start, end } = highlight;
  return (
    <>
      {text.slice(0, start)}
      <mark className={styles['value']}>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
