import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import type { SubscribeResult, WebhookTemplate } from '../../api/calls.gen.ts';
import { errorMessage } from '../../api/problem.ts';
import { useAction } from '../../api/use-action.ts';
import { callKey, useCall } from '../../api/use-call.ts';
import { formatCount } from '../../format/number.ts';
import { useCustomerId } from '../../session/customer.ts';
import { PastedSymbols } from './pasted-symbols.tsx';

const REFRESHES = ['webhook-subscriptions-list', 'webhooks-list', 'webhooks-read'] as const;

const SYMBOLS = 'symbols';

/** Subscribes to a company set or to pasted symbols, after showing a preview. */
export function AddSymbols(props: {
  endpointId: string;
  templates: readonly WebhookTemplate[];
}): ReactNode {
  const { endpointId, templates } = props;
  const [templateId, setTemplateId] = useState('earnings_schedule');
  const [companies, setCompanies] = useState(SYMBOLS);
  const [pasted, setPasted] = useState('');
  const text = companies === SYMBOLS ? pasted : companies;
  const [result, setResult] = useState<SubscribeResult | null>(null);
  const preview = usePreview({ endpointId, templateId, text });
  const add = useAction('webhook-subscriptions-add', {
    refreshes: REFRESHES,
    onDone(outcome) {
      setResult(outcome);
      setPasted('');
    },
  });
  return (
    <Stack gap="md">
      <EventSelect templates={templates} value={templateId} onChange={setTemplateId} />
      <CompaniesSelect
        value={companies}
        onChange={(value) => {
          setCompanies(value);
          setResult(null);
        }}
      />
      {companies === SYMBOLS && (
        <SymbolsField
          value={pasted}
          onChange={(value) => {
            setPasted(value);
            setResult(null);
          }}
        />
      )}
      {preview.data !== undefined && <PastedSymbols outcome={preview.data} isPreview />}
      {preview.error !== null && (
        <Text size="sm" c="red" role="alert">
          {errorMessage(preview.error)}
        </Text>
      )}
      {result !== null && <PastedSymbols outcome={result} isPreview={false} />}
      <Group>
        <Button
          loading={add.isPending}
          disabled={text.trim() === ''}
          onClick={() => add.mutate({ path: { endpointId }, body: { templateId, symbols: text } })}
        >
          Subscribe
        </Button>
        <Text size="sm" c="dimmed">
          Subscribing sends nothing. Deliveries contain changes from now on.
        </Text>
      </Group>
    </Stack>
  );
}

function SymbolsField(props: { value: string; onChange: (text: string) => void }): ReactNode {
  const { value, onChange } = props;
  return (
    <Textarea
      label="Symbols"
      description="Paste symbols separated by commas, spaces, tabs or new lines, in any notation (BRK.B, brk/b, $BRK-B), or sets such as exchange:nasdaq and sector:finance."
      autosize
      minRows={3}
      maxRows={10}
      spellCheck={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function CompaniesSelect(props: {
  value: string;
  onChange: (companies: string) => void;
}): ReactNode {
  const { value, onChange } = props;
  const watchlists = useCall('watchlists-list', {});
  const lists = (watchlists.data ?? []).map(({ name, size }) => ({
    value: `@${name}`,
    label: `Watchlist @${name} (${formatCount(size)})`,
  }));
  return (
    <Select
      label="Companies"
      data={[
        { value: SYMBOLS, label: 'Symbols' },
        ...lists,
        { value: '*', label: 'All companies' },
      ]}
      value={value}
      onChange={(companies) => onChange(companies ?? value)}
      allowDeselect={false}
      maw={420}
    />
  );
}

function EventSelect(props: {
  templates: readonly WebhookTemplate[];
  value: string;
  onChange: (templateId: string) => void;
}): ReactNode {
  const { templates, value, onChange } = props;
  return (
    <Select
      label="Event"
      description={templates.find(({ templateId }) => templateId === value)?.describe}
      inputWrapperOrder={['label', 'input', 'description']}
      data={templates.map(({ templateId }) => templateId)}
      value={value}
      onChange={(templateId) => onChange(templateId ?? value)}
      allowDeselect={false}
      maw={420}
    />
  );
}

/** Previews the subscription after the user stops typing. */
function usePreview(draft: { endpointId: string; templateId: string; text: string }) {
  const { endpointId, templateId } = draft;
  const customerId = useCustomerId();
  const [symbols] = useDebouncedValue(draft.text.trim(), 500);
  const input = { path: { endpointId }, body: { templateId, symbols, preview: true } };
  const preview = useQuery({
    queryKey: callKey('webhook-subscriptions-add', customerId, input),
    queryFn: ({ signal }) => call('webhook-subscriptions-add', input, { customerId, signal }),
    enabled: symbols !== '',
    retry: false,
  });
  return draft.text.trim() === '' ? { data: undefined, error: null } : preview;
}
