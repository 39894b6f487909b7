import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OverrideDraft } from './override-draft.ts';
import { OverrideForm } from './override-form.tsx';
import { OverrideReview } from './override-review.tsx';

/** Overrides a trading day in two steps: a form and a review. */
export function OverrideDialog(props: { date: string | null; onClose: () => void }): ReactNode {
  const { date, onClose } = props;
  const [draft, setDraft] = useState<OverrideDraft | null>(null);
  const [isReviewing, setIsReviewing] = useState(false);

  function close(): void {
    setDraft(null);
    setIsReviewing(false);
    onClose();
  }

  return (
    <Modal
      opened={date !== null}
      onClose={close}
      title={isReviewing ? 'Review change' : 'Change trading day'}
      size="lg"
    >
      {isReviewing && draft !== null ? (
        <OverrideReview draft={draft} onBack={() => setIsReviewing(false)} onDone={close} />
      ) : (
        <OverrideForm
          key={date}
          date={date ?? ''}
          draft={draft}
          onCancel={close}
          onReview={(reviewed) => {
            setDraft(reviewed);
            setIsReviewing(true);
          }}
        />
      )}
    </Modal>
  );
}
