import { Anchor, Badge } from '@mantine/core';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { call } from '../api/call.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { correctionWord, EventPhrase } from '../patient/event-phrase.tsx';
import { eventTime } from '../ui/format/date.ts';
import { changePatient } from './inbox-queries.ts';
import { ReasonBadge, StatusBadge } from './ping-badges.tsx';
import classes from './ping-detail.module.css';

/** Every ping of the stay, newest first. Selecting one shows it above. */
export const StayPings = ({
  pings,
  shown,
  show,
  unread,
  now,
}: {
  pings: Ping[];
  shown: Ping;
  show: (id: string) => void;
  /** Events that the reader had not seen before opening the stay. */
  unread: readonly string[];
  now: Date;
}) => (
  <ol className={classes.timeline}>
    {pings.map((ping) => (
      <li key={ping.id} data-shown={ping.id === shown.id || undefined}>
        <div className={classes.historyLine}>
          <EventIcon ping={ping} />
          {ping.id === shown.id ? (
            <strong>
              <EventPhrase ping={ping} />
            </strong>
          ) : (
            <Anchor component="button" type="button" c="inherit" fw={500} onClick={() => show(ping.id)}>
              <EventPhrase ping={ping} />
            </Anchor>
          )}
          {unread.includes(ping.eventIdentifier) && <Badge component="span">New to you</Badge>}
          {ping.state !== 'ACTIVE' && <span>{correctionWord(ping)}</span>}
          {ping.reason?.code === 'AFTER_DEATH' && <ReasonBadge reason={ping.reason} />}
          <span className={classes.dim}>
            <time dateTime={ping.eventDate}>{eventTime(ping.eventDate, ping.facility.timeZone, now)}</time>
          </span>
          <span className={classes.end}>
            <StatusBadge status={ping.currentManagementStatus.status} />
          </span>
        </div>
      </li>
    ))}
  </ol>
);

/** Notes that the reader has seen the pings of the stay, and returns the events that were unread until then. */
export const useUnread = (patient: Patient): readonly string[] => {
  const client = useQueryClient();
  const { id, card, currentPingEncounter } = patient;
  const [unread, setUnread] = useState<readonly string[]>([]);
  const found = card?.unread.join(' ') ?? '';
  const until = (currentPingEncounter?.pings ?? []).reduce((last, { createdDate: at }) => (at > last ? at : last), '');
  const [isNoted, setNoted] = useState(false);
  useEffect(() => {
    if (!found || !until) return;
    setUnread((known) => [...new Set([...known, ...found.split(' ')])]);
    // Without an answer, it stays unread.
    void call('POST /api/patients/:id/events/seen', { params: { id }, body: { until } }).then(
      () => setNoted(true),
      () => {},
    );
  }, [id, found, until]);
  // A list that was asked for before may come after it, and has them unread.
  const isAsking = useIsFetching({ queryKey: ['pings'] }) > 0;
  useEffect(() => {
    if (!isNoted || isAsking) return;
    changePatient(client, id, (row) => {
      const left = row.card?.unread.filter((event) => !unread.includes(event)) ?? [];
      return row.card && left.length < row.card.unread.length ? { ...row, card: { ...row.card, unread: left } } : row;
    });
  }, [client, id, unread, isNoted, isAsking]);
  return unread;
};
