import type { Transaction } from '../../storage/db.ts';

/**
 * Makes the next delivery of every subscription name all fields. Each then counts as one that the
 * receiver may have seen since its last acknowledged data. Companies in a set that have had no
 * delivery yet lose their baseline to the same end.
 */
export async function nameAllFields(
  tx: Transaction,
  templates: readonly { templateId: string; fields: readonly string[] }[],
): Promise<void> {
  for (const { templateId, fields } of templates) {
    // Updates every subscription to the template.
    await tx.query(
      `update webhook_subscription set named_fields = $2::text[]
        where template_id = $1 and kind <> 'selector'`,
      [templateId, [...fields]],
    );
  }
  // Updates the baselines of every template.
  await tx.query('update webhook_baseline set data = null where data is not null');
}
