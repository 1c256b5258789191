import { Button } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { DAY } from '#contract/durations.ts';
import type { Patient } from '#contract/patients.ts';
import { useSimilarNames } from '../patient/use-similar-names.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { onForget } from '../ui/forget.ts';
import { formatDate, readingZone } from '../ui/format/date.ts';
import { useNow } from '../ui/use-now.ts';
import classes from './event-feed.module.css';
import { EventRow } from './event-row.tsx';
import { eventIdOf } from './feed-queries.ts';

/** Returns "Today, 11/25/2026", "Yesterday, 11/24/2026" or "Monday, 11/23/2026". */
const headingOf = (eventDate: string, now: Date): string => {
  const date = formatDate(eventDate);
  if (date === formatDate(now.toISOString())) return `Today, ${date}`;
  if (date === formatDate(new Date(now.getTime() - DAY).toISOString())) return `Yesterday, ${date}`;
  const hasTime = eventDate.length > 10;
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: hasTime ? readingZone() : 'UTC' });
  return `${weekday.format(new Date(eventDate))}, ${date}`;
};

/** Returns the rows under the headings of their days, in the order of the feed. */
const daysOf = (rows: readonly Patient[], now: Date): { heading: string; rows: Patient[] }[] => {
  const days: { heading: string; rows: Patient[] }[] = [];
  for (const row of rows) {
    const heading = headingOf(row.currentPing?.eventDate ?? now.toISOString(), now);
    const last = days.at(-1);
    if (last?.heading === heading) last.rows.push(row);
    else days.push({ heading, rows: [row] });
  }
  return days;
};

/** The event that was last opened, so that the way back focuses it. Ids only, in memory. */
let lastOpened: { list: string; id: string } | null = null;
onForget(() => {
  lastOpened = null;
});
const here = (): string => location.pathname + location.search;
const rememberOpened = (id: string): void => {
  lastOpened = { list: here(), id };
};

/** J and K move the focus through the rows that can be opened; on the way back to the feed it is on the one that was. */
const useRowKeys = (box: RefObject<HTMLDivElement | null>): void => {
  useEffect(() => {
    const from = lastOpened?.list === here() ? lastOpened.id : null;
    lastOpened = null;
    const link = [...(box.current?.querySelectorAll<HTMLElement>('[data-event-row]') ?? [])].find(
      ({ dataset }) => dataset['eventRow'] === from,
    );
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
  }, [box]);
  const move = (by: number): void => {
    const links = [...(box.current?.querySelectorAll<HTMLElement>('[data-event-row]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = links[at < 0 ? 0 : at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useCommands({ 'list.next': () => move(1), 'list.previous': () => move(-1) });
};

interface Props {
  rows: readonly Patient[];
  /** When they were loaded, in epoch milliseconds. */
  asOf: number;
  /** Loads older events; null if there are none. */
  older: { load: () => void; isLoading: boolean } | null;
}

/** Events under the headings of their days. */
export const EventList = ({ rows, asOf, older }: Props) => {
  const now = useNow();
  const { user, can } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const similar = useSimilarNames(rows, asOf);
  useRowKeys(box);
  const mayOpen = can('canViewPatients') || can('canViewPings');
  return (
    <div ref={box}>
      {daysOf(rows, now).map(({ heading, rows: ofDay }) => (
        <section key={`${heading} ${eventIdOf(ofDay[0] as Patient)}`}>
          <h2 className={classes.day}>{heading}</h2>
          <ul
            // Safari drops the role of lists without markers.
            // oxlint-disable-next-line jsx-a11y/no-redundant-roles
            role="list"
            aria-label={`Events, ${heading}`}
            className={classes.rows}
          >
            {ofDay.map((patient) => (
              <EventRow
                key={eventIdOf(patient)}
                patient={patient}
                now={now}
                id={eventIdOf(patient)}
                opened={rememberOpened}
                href={mayOpen ? patientPath(user, patient.id) : null}
                similar={similar.has(patient.id)}
              />
            ))}
          </ul>
        </section>
      ))}
      {older && (
        <div className={classes.older}>
          <Button variant="default" loading={older.isLoading} onClick={older.load}>
            Load older
          </Button>
        </div>
      )}
    </div>
  );
};
