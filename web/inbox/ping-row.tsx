import { memo } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import { RESOLUTION_LABELS } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { EventIcon } from '../patient/event-icon.tsx';
import { correctionWord, EventPhrase } from '../patient/event-phrase.tsx';
import { DiedBadge, deathWord, SimilarNameBadge } from '../patient/identity-badges.tsx';
import { IdentityFacts } from '../patient/identity-facts.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { delayPhrase, origin, spokenRow } from '../patient/phrases.ts';
import { eventTime, eventTimes, formatTime } from '../ui/format/date.ts';
import { familyFirst } from '../ui/format/name.ts';
import { closingOf, headlineOf } from './card.ts';
import { LateBadge, ReasonBadge, StatusBadge } from './ping-badges.tsx';
import classes from './ping-row.module.css';

interface PingRowProps {
  patient: Patient;
  now: Date;
  href: string;
  selected: boolean;
  /** One row of the list is in the tab order; J, K and the arrow keys move on from it. */
  tabbable: boolean;
  /** Arrived while the page was open and has not been opened since. What arrived before, and was not opened, is unread. */
  justArrived: boolean;
  /** When the row was replaced by a newer one, in epoch milliseconds. */
  updatedAt: number | undefined;
  /** A change by this user was not saved. */
  unsaved: boolean;
  /** The patient could be mistaken for another one. */
  similar: boolean;
  /** Who has taken the stay and whether it waits, in words. */
  work: string | null;
  /** Whether the row is selected for a change of several; null if the user may change none. */
  picked: boolean | null;
  pick: (patient: Patient) => void;
  open: (id: string) => void;
}

/** Selects the row for a change of several. */
const PickBox = ({ patient, picked, pick }: Pick<PingRowProps, 'patient' | 'pick'> & { picked: boolean }) => (
  <label className={classes.check}>
    <input
      type="checkbox"
      aria-label={`Select ${familyFirst(patient)}`}
      checked={picked}
      onChange={() => pick(patient)}
    />
  </label>
);

/** Why the ping matters, and which programs the patient is in, or who closed the stay and why. */
const Why = ({
  patient,
  ping,
  work,
  programs,
  now,
}: Pick<PingRowProps, 'patient' | 'work' | 'now'> & { ping: Ping; programs: string[] }) => {
  const closing = closingOf(patient);
  const closed = closing && [
    closing.displayName ?? closing.username,
    closing.date && eventTime(closing.date, ping.facility.timeZone, now),
    ...closing.resolutions.map((code) => (code === 'SYSTEM_RESOLVED' && closing.otherText) || RESOLUTION_LABELS[code]),
  ];
  return (
    <span className={classes.why}>
      {ping.reason && <ReasonBadge reason={ping.reason} />}
      {ping.late && <LateBadge />}
      {work && <span className={classes.work}>{work}</span>}
      <span className={closed ? '' : classes.programs}>{(closed ?? programs).filter(Boolean).join(' · ')}</span>
    </span>
  );
};

/** The status of the stay, and when its newest event was. */
const Next = ({
  patient,
  ping,
  newest,
  updatedAt,
  unsaved,
  now,
}: Pick<PingRowProps, 'patient' | 'updatedAt' | 'unsaved' | 'now'> & { ping: Ping; newest: Ping }) => {
  const { card } = patient;
  const delay = delayPhrase(newest);
  const [at, since] = eventTimes(newest.eventDate, newest.facility.timeZone, now);
  return (
    <span className={classes.next}>
      <StatusBadge status={ping.currentManagementStatus.status} />
      {card?.reopened && <span className={classes.updated}>Reopened</span>}
      <span className={classes.when}>
        {/* What the time is of, if that is not the headline. */}
        {newest.eventIdentifier !== ping.eventIdentifier && `${EVENT_LABELS[newest.status]} `}
        <time dateTime={newest.eventDate}>
          {at}
          {since && <span className={classes.extra}> · {since}</span>}
        </time>
        {/* "Late" says it in short, and of a closed stay it matters less. */}
        {delay && <span className={newest.late || closingOf(patient) ? classes.extra : ''}>, {delay}</span>}
        {updatedAt && <span className={classes.updated}> Updated {formatTime(new Date(updatedAt).toISOString())}</span>}
        {unsaved && <span className={classes.updated}> Not saved</span>}
      </span>
    </span>
  );
};

/** One patient and stay: who, what, where, when, why it matters, and the status. The whole row is one link. */
export const PingRow = memo(
  ({
    patient,
    now,
    href,
    selected,
    tabbable,
    justArrived,
    updatedAt,
    unsaved,
    similar,
    work,
    picked,
    pick,
    open,
  }: PingRowProps) => {
    const ping = headlineOf(patient);
    const newest = patient.currentPing;
    if (!ping || !newest) return null;
    const { card } = patient;
    const unread = justArrived || Boolean(card?.unread.length);
    const pings = patient.currentPingEncounter?.pings.length ?? 1;
    const { status } = ping.currentManagementStatus;
    const from = origin(ping);
    const restriction = showsPart2(patient) && PART2_NOTICE;
    // The reason of most pings of a patient who has died says so already.
    const died = ping.reason?.code === 'DECEASED' ? '' : deathWord(patient);
    const programs = [
      ...new Set([...patient.programs.map(({ name }) => name), ...patient.listings.map((l) => l.groupName)]),
    ];
    return (
      <li className={classes.item} data-selected={selected || undefined} data-updated={updatedAt ? true : undefined}>
        {picked !== null && <PickBox patient={patient} picked={picked} pick={pick} />}
        <a
          id={`ping-${patient.id}`}
          className={classes.row}
          href={href}
          tabIndex={tabbable ? 0 : -1}
          aria-current={selected ? 'true' : undefined}
          aria-label={`${justArrived ? 'Just arrived. ' : unread ? 'Unread. ' : ''}${spokenRow(patient, ping, now)}.${died ? ` ${died}.` : ''}${similar ? ' Similar name.' : ''}${restriction ? ` ${restriction}` : ''}${card?.reopened ? ' Reopened.' : ''}${work ? ` ${work}.` : ''}${unsaved ? ' Not saved.' : ''}`}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            open(patient.id);
          }}
        >
          <span className={classes.who}>
            {unread && <span className={classes.dot} />}
            <span className={status === 'NEW' ? classes.nameNew : classes.name}>{familyFirst(patient)}</span>{' '}
            {died && (
              <>
                <DiedBadge patient={patient} />{' '}
              </>
            )}
            {similar && <SimilarNameBadge />} <IdentityFacts patient={patient} now={now} />
          </span>{' '}
          <Next patient={patient} ping={ping} newest={newest} updatedAt={updatedAt} unsaved={unsaved} now={now} />
          <span className={classes.what}>
            <EventIcon ping={ping} />
            <span>
              <span className={classes.event}>
                <EventPhrase ping={ping} />
                {correctionWord(ping)}
              </span>{' '}
              <span className={classes.dim}>
                {ping.facility.name}
                {from && <span className={classes.origin}> · {from}</span>}
                {restriction && ` · ${restriction}`}
                {pings > 1 && <span className={classes.extra}> · {pings} pings</span>}
              </span>
            </span>
          </span>
          <Why patient={patient} ping={ping} work={work} programs={programs.slice(0, 2)} now={now} />
        </a>
      </li>
    );
  },
);
