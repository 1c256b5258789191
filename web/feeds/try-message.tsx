import { Button, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { EVENT_LABELS, type EventCode } from '#contract/event-codes.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../api/call.ts';
import { ChoiceField } from '../ui/choice-field.tsx';
import { formatDate, formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { feedsQuery } from './feed-queries.ts';
import classes from './feeds.module.css';

type Preview = RouteAnswer<'POST /api/feeds/preview'>;

const OUTCOMES = {
  facts: { label: 'Would be applied', color: 'positive', Icon: IconCircleCheck },
  'not-acted-on': { label: 'Would not be acted on', color: 'gray', Icon: IconCircleDashed },
  quarantine: { label: 'Would be quarantined', color: 'caution', Icon: IconAlertTriangle },
} as const;

const CHANGES = { added: 'Would add', amended: 'Would change', cancelled: 'Would cancel' } as const;

const MATCHES = {
  matched: 'The patient matches a person who is already known.',
  review: 'The match would wait for a review. Until then, only the facility sees the visit.',
  new: 'The patient matches no one who is known.',
} as const;

const eventWords = ({ change, status, eventDate }: Preview['events'][number]): string => {
  const label = Object.hasOwn(EVENT_LABELS, status) ? EVENT_LABELS[status as EventCode] : status;
  const when = eventDate.length === 10 ? formatDate(eventDate) : formatDateTime(eventDate);
  return `${CHANGES[change]}: ${label}, ${when}`;
};

/** What the message would do, in words. */
const Result = ({ preview }: { preview: Preview }) => {
  const { outcome, reason, facilityName, matching, events, recipients } = preview;
  const { label, ...look } = OUTCOMES[outcome];
  return (
    <>
      <StatusBadge {...look}>{label}</StatusBadge>
      <Text mt="xs">{reason}</Text>
      {facilityName && <Text mt="xs">Facility: {facilityName}</Text>}
      {outcome === 'facts' && events.length === 0 && <Text mt="xs">No event would be added or changed.</Text>}
      {events.length > 0 && (
        <ul className={classes.effects}>
          {events.map((event) => (
            <li key={`${event.change} ${event.status} ${event.eventDate}`}>{eventWords(event)}</li>
          ))}
        </ul>
      )}
      {matching && <Text mt="xs">{MATCHES[matching]}</Text>}
      {recipients !== null && outcome === 'facts' && (
        <Text mt="xs">
          {recipients === 0
            ? 'No group would get a ping.'
            : `${counted(recipients, 'group', 'groups')} would get a ping.`}
        </Text>
      )}
      {outcome === 'facts' && matching === null && (
        <Text mt="xs" size="sm" c="dimmed">
          Only operators see which people the patient matches, and how many groups would get a ping.
        </Text>
      )}
    </>
  );
};

const PASTE = { MLLP: 'Paste a message that begins with MSH.', FHIR: 'Paste a Bundle of type message.' } as const;

/** Says what a pasted message would do. It is sent to the server, where nothing of it is stored or logged. */
export const TryMessage = () => {
  const { data: feeds = [] } = useQuery(feedsQuery);
  const choices = feeds.filter(({ kind, approvedAt }) => kind !== 'CCDA' && approvedAt !== null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const heading = useId();
  const feedId = chosen ?? choices[0]?.id;
  const isFhir = choices.find(({ id }) => id === feedId)?.kind === 'FHIR';
  const preview = useMutation({
    mutationFn: (body: { feedId: string; text: string }) => call('POST /api/feeds/preview', { body }),
    // The message is patient data: it is not kept once the answer is gone.
    gcTime: 0,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setProblem(text.trim() === '' ? PASTE[isFhir ? 'FHIR' : 'MLLP'] : null);
    if (text.trim() !== '' && feedId) preview.mutate({ feedId, text });
  };
  if (feeds.length > 0 && choices.length === 0) return <Text>Add a feed first. Then you can try messages for it.</Text>;
  return (
    <div className={classes.try}>
      <form onSubmit={submit} autoComplete="off">
        <Text mb="sm">
          Paste {isFhir ? 'a FHIR' : 'an HL7'} message to see what it would do. It is not stored, not logged, and
          changes nothing; no one is notified.
        </Text>
        <ChoiceField
          label="Feed"
          value={feedId ?? ''}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            preview.reset();
          }}
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Textarea
          mt="sm"
          label="Message"
          description={isFhir ? 'One Bundle, as JSON.' : 'One message, from MSH on. Lines can end in any way.'}
          rows={12}
          maxLength={1_000_000}
          spellCheck={false}
          classNames={{ input: classes.pasted }}
          value={text}
          error={problem}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            preview.reset();
          }}
        />
        <Button type="submit" mt="sm" loading={preview.isPending}>
          Show what it would do
        </Button>{' '}
        <Button
          mt="sm"
          variant="default"
          disabled={text === '' || preview.isPending}
          onClick={() => {
            setText('');
            preview.reset();
          }}
        >
          Clear
        </Button>
      </form>
      <section aria-labelledby={heading} aria-live="polite" className={classes.result}>
        {preview.error && <Failed what="Couldn't try the message. Nothing was changed." error={preview.error} />}
        {preview.data && (
          <>
            <Title order={2} id={heading} size="h3" mb="xs">
              What it would do
            </Title>
            <Result preview={preview.data} />
          </>
        )}
      </section>
    </div>
  );
};
