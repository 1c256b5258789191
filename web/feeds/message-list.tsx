import { Anchor, Button, Group, NativeSelect, Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { User } from '#contract/accounts.ts';
import { counted } from '#contract/counted.ts';
import type { Message, MessageStatus } from '#contract/feeds.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { ChoiceField } from '../ui/choice-field.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty, Failed } from '../ui/states.tsx';
import { feedsQuery, type MessageFilters, messagesQuery } from './feed-queries.ts';
import classes from './feeds.module.css';
import { MESSAGE_STATUS_LOOKS, MessageStatusBadge } from './message-status-badge.tsx';

/** What became of the message, and who dismissed it and why. */
export const Reason = ({ message: { reason, dismissal } }: { message: Message }) => (
  <>
    {reason}
    {dismissal && (
      <Text size="xs" c="dimmed">
        {dismissal.note && `“${dismissal.note}” `}
        {dismissal.dismissedBy}, {formatDateTime(dismissal.dismissedAt)}
      </Text>
    )}
  </>
);

export const NO_FILTERS: MessageFilters = { pageNumber: 1 };

/** Returns an instant as the reader's local date and time, as the field has it. */
const localOf = (instant: string | undefined): string => {
  if (!instant) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const Filters = ({ filters, apply }: { filters: MessageFilters; apply: (filters: MessageFilters) => void }) => {
  const { data: feeds = [] } = useQuery(feedsQuery);
  const [controlId, setControlId] = useState(filters.controlId ?? '');
  const change = (next: Partial<MessageFilters>): void => apply({ ...filters, ...next, pageNumber: 1 });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change({ controlId: controlId.trim() || undefined });
  };
  /** Applies the reader's local date and time as an instant, once the year is typed. */
  const changeTime = (name: 'receivedFrom' | 'receivedTo', value: string): void => {
    if (value === '' || /^[12]/.test(value)) change({ [name]: value ? new Date(value).toISOString() : undefined });
  };
  return (
    <form onSubmit={submit} className={classes.filters}>
      <ChoiceField
        label="Feed"
        size="xs"
        value={filters.feedId ?? ''}
        onChange={({ currentTarget }) => change({ feedId: currentTarget.value || undefined })}
        data={[{ value: '', label: 'All feeds' }, ...feeds.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <NativeSelect
        label="Status"
        size="xs"
        value={filters.status ?? ''}
        onChange={({ currentTarget }) =>
          change({ status: (currentTarget.value || undefined) as MessageStatus | undefined })
        }
        data={[
          { value: '', label: 'All statuses' },
          ...Object.entries(MESSAGE_STATUS_LOOKS).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <TextInput
        label="Received after"
        size="xs"
        type="datetime-local"
        defaultValue={localOf(filters.receivedFrom)}
        onChange={({ currentTarget }) => changeTime('receivedFrom', currentTarget.value)}
      />
      <TextInput
        label="Received before"
        size="xs"
        type="datetime-local"
        defaultValue={localOf(filters.receivedTo)}
        onChange={({ currentTarget }) => changeTime('receivedTo', currentTarget.value)}
      />
      <TextInput
        label="Control ID (MSH-10)"
        size="xs"
        value={controlId}
        onChange={({ currentTarget }) => setControlId(currentTarget.value)}
        onBlur={() =>
          controlId.trim() !== (filters.controlId ?? '') && change({ controlId: controlId.trim() || undefined })
        }
      />
    </form>
  );
};

const columns = (open: (id: string) => void, user: User): TableColumn<Message>[] => [
  [
    'Received',
    ({ id, receivedAt }) => (
      <Anchor component="button" type="button" className={classes.time} onClick={() => open(id)}>
        {formatDateTime(receivedAt)}
      </Anchor>
    ),
  ],
  ['Status', (message) => <MessageStatusBadge message={message} />],
  ['Reason', (message) => <Reason message={message} />],
  [
    'Patient',
    ({ patient }) =>
      patient ? (
        <Anchor component={Link} to={patientPath(user, patient.id)}>
          {patient.name}
        </Anchor>
      ) : (
        <Text span size="xs" c="dimmed">
          Not shown
        </Text>
      ),
  ],
  ['Feed', ({ feedName, sendingFacility }) => feedName ?? sendingFacility ?? 'Unknown'],
  [
    'Type',
    ({ messageType, reportedByLink }) =>
      reportedByLink ? `Reported by link ${reportedByLink}` : (messageType ?? 'Unreadable'),
  ],
  ['Control ID', ({ controlId }) => <span className={classes.control}>{controlId ?? 'None'}</span>],
];

interface Props {
  filters: MessageFilters;
  apply: (filters: MessageFilters) => void;
  open: (id: string) => void;
}

/** Received messages, newest first, each with its status and the reason. */
export const MessageList = ({ filters, apply, open }: Props) => {
  const { user } = useSession();
  const [version, setVersion] = useState(0);
  const { data, error, isFetching, refetch } = useQuery({
    ...messagesQuery(filters),
    placeholderData: (previous) => previous,
  });
  const { pageNumber, ...active } = filters;
  const filterCount = Object.values(active).filter((value) => value !== undefined).length;
  const filterWords = counted(filterCount, 'filter');
  const clear = (): void => {
    apply(NO_FILTERS);
    setVersion((was) => was + 1);
  };
  return (
    <>
      <Filters key={version} filters={filters} apply={apply} />
      <Group gap="sm" my="xs" aria-live="polite">
        <Text size="sm" c="dimmed" className="tabular">
          {data
            ? `${counted(data.total, 'message')}${filterCount ? ` ${data.total === 1 ? 'matches' : 'match'} ${filterWords}` : ''}`
            : ' '}
        </Text>
        {filterCount > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={clear}>
            Clear all
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" color="gray" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </Group>
      {error && <Failed what="Couldn't load messages." error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} />}
      {data?.messages.length === 0 &&
        (filterCount ? (
          <Empty
            title={`No messages match ${filterWords}.`}
            action={
              <Button size="xs" variant="default" onClick={clear}>
                Clear all
              </Button>
            }
          />
        ) : (
          <Empty title="No messages received yet." />
        ))}
      {data && data.messages.length > 0 && (
        <CardTable label="Messages" rows={data.messages} columns={columns(open, user)} />
      )}
      <Pager page={pageNumber} pages={data?.numPages ?? 1} go={(next) => apply({ ...filters, pageNumber: next })} />
    </>
  );
};
